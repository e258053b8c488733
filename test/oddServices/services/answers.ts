// Services whose responses are not lists or tasks, or only partly.
import { parseWallClock } from "../serviceFormat.ts";
import { json } from "../service.ts";
import type { OddService } from "../examine.ts";
import { right } from "./oddities.ts";

/** The start of a task's list if the task's creation time cannot be read (docs/queries.md). */
const BEFORE_ALL = parseWallClock("2000-01-01 00:00:00", "Asia/Shanghai") as number;
const own: OddService[] = [
  {
    name: "wraps its answers in code and msg",
    oddity: { writeList: ({ body }) => ({ code: 0, msg: "ok", data: body }) },
    affects: ["lists"],
  },
  {
    name: "answers 200 with code and msg",
    oddity: { writeList: () => ({ code: 50001, msg: "internal error" }) },
    affects: ["lists"],
  },
  {
    name: "answers 200 with code, msg and no rows",
    oddity: { writeList: ({ body }) => ({ ...body, items: [], total: 0, code: 50001, msg: "internal error" }) },
    affects: ["lists"],
  },
  right("tells success beside its answers", { writeList: ({ body }) => ({ code: 0, msg: "success", ...body }) }),
  {
    name: "answers 200 with HTML",
    oddity: {
      writeList: () => ({ status: 200, headers: { "content-type": "text/html" }, text: "<html>Please log in</html>" }),
    },
    affects: ["lists"],
  },
  {
    name: "answers null where there is nothing",
    oddity: { writeList: ({ body }) => (body.total === 0 ? null : body) },
    affects: ["lists"],
  },
  {
    name: "answers an empty list where there is nothing",
    oddity: { writeList: ({ body }) => (body.total === 0 ? [] : body) },
    affects: ["lists"],
  },
  {
    name: "answers 204 where there is nothing",
    oddity: { writeList: ({ body }) => (body.total === 0 ? { ...json(null, 204), text: "" } : body) },
    affects: ["lists"],
  },
  { name: "answers an empty text", oddity: { writeList: () => ({ ...json(null), text: "" }) }, affects: ["lists"] },
  right(
    "leaves out items where there are none",
    { writeList: ({ body }) => ({ ...body, items: body.items.length > 0 ? body.items : undefined }) },
    { affects: ["lists"] },
  ),
];

const tasks: OddService[] = [
  { name: "answers null for an unknown task", oddity: { writeTask: (body) => body ?? json(null) }, affects: ["task"] },
  { name: "answers {} for an unknown task", oddity: { writeTask: (body) => body ?? {} }, affects: ["task"] },
  {
    name: "answers with another task",
    oddity: { writeTask: (body) => body && { ...body, id: 7 } },
    affects: ["task"],
  },
  {
    name: "answers with task 7 for an unknown one",
    oddity: { writeTask: (body) => body ?? { id: 7 } },
    affects: ["task"],
  },
  right(
    "has a task status that nobody knows",
    { writeTask: (body) => body && { ...body, status: "archived" } },
    { shownTask: () => ({ status: "UNKNOWN" }) },
  ),
  right(
    "writes when a task was created as a word",
    { writeTask: (body) => body && { ...body, createdAt: "yesterday" } },
    { taskListStart: BEFORE_ALL },
  ),
  {
    name: "leaves out fields of a task",
    oddity: { writeTask: (body) => body && { ...body, status: undefined } },
    affects: ["task"],
  },
  {
    name: "has a task without an assistant",
    oddity: { writeTask: (body) => body && { ...body, assistant: null } },
    shownTask: () => ({ assistant: null }),
    affects: [],
  },
];

export const answers: readonly OddService[] = [...own, ...tasks];
