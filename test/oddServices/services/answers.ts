// Answers that are no list and no task, or hardly.
import { instantOfWall } from "../honest.ts";
import { json, type Oddity } from "../service.ts";
import type { OddService } from "../stand.ts";

const right = (name: string, oddity: Oddity, more: Partial<OddService> = {}): OddService => ({
  name,
  oddity,
  touches: [],
  ...more,
});

/** Where the list of a task begins whose creation cannot be read (docs/queries.md). */
const BEFORE_ALL = instantOfWall("2000-01-01 00:00:00", "Asia/Shanghai") as number;
const own: OddService[] = [
  {
    name: "wraps its answers in code and msg",
    oddity: { lists: ({ body }) => ({ code: 0, msg: "ok", data: body }) },
    touches: ["lists"],
  },
  {
    name: "answers 200 with code and msg",
    oddity: { lists: () => ({ code: 50001, msg: "internal error" }) },
    touches: ["lists"],
  },
  {
    name: "answers 200 with code, msg and no rows",
    oddity: { lists: ({ body }) => ({ ...body, items: [], total: 0, code: 50001, msg: "internal error" }) },
    touches: ["lists"],
  },
  right("tells success beside its answers", { lists: ({ body }) => ({ code: 0, msg: "success", ...body }) }),
  {
    name: "answers 200 with HTML",
    oddity: {
      lists: () => ({ status: 200, headers: { "content-type": "text/html" }, text: "<html>Please log in</html>" }),
    },
    touches: ["lists"],
  },
  {
    name: "answers null where there is nothing",
    oddity: { lists: ({ body }) => (body.total === 0 ? null : body) },
    touches: ["lists"],
  },
  {
    name: "answers an empty list where there is nothing",
    oddity: { lists: ({ body }) => (body.total === 0 ? [] : body) },
    touches: ["lists"],
  },
  {
    name: "answers 204 where there is nothing",
    oddity: { lists: ({ body }) => (body.total === 0 ? { ...json(null, 204), text: "" } : body) },
    touches: ["lists"],
  },
  { name: "answers an empty text", oddity: { lists: () => ({ ...json(null), text: "" }) }, touches: ["lists"] },
  right(
    "leaves out items where there are none",
    { lists: ({ body }) => ({ ...body, items: body.items.length > 0 ? body.items : undefined }) },
    { touches: ["lists"] },
  ),
];

const tasks: OddService[] = [
  { name: "answers null for an unknown task", oddity: { writesTask: (body) => body ?? json(null) }, touches: ["task"] },
  { name: "answers {} for an unknown task", oddity: { writesTask: (body) => body ?? {} }, touches: ["task"] },
  {
    name: "answers with another task",
    oddity: { writesTask: (body) => body && { ...body, id: 7 } },
    touches: ["task"],
  },
  {
    name: "answers with task 7 for an unknown one",
    oddity: { writesTask: (body) => body ?? { id: 7 } },
    touches: ["task"],
  },
  right(
    "has a task status that nobody knows",
    { writesTask: (body) => body && { ...body, status: "archived" } },
    { showsTask: () => ({ status: "UNKNOWN" }) },
  ),
  right(
    "writes when a task was created as a word",
    { writesTask: (body) => body && { ...body, createdAt: "yesterday" } },
    { taskBegins: BEFORE_ALL },
  ),
  {
    name: "leaves out fields of a task",
    oddity: { writesTask: (body) => body && { ...body, status: undefined } },
    touches: ["task"],
  },
  {
    name: "has a task without an assistant",
    oddity: { writesTask: (body) => body && { ...body, assistant: null } },
    showsTask: () => ({ assistant: null }),
    touches: [],
  },
];

export const answers: readonly OddService[] = [...own, ...tasks];
