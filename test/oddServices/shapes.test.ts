import { describe, it } from "vitest";
import { instantOfWall, raw, wallClock } from "./honest.ts";
import { json, type Json, type Oddity } from "./service.ts";
import { examine, type OddService } from "./stand.ts";
import { HOUR, usual, type Call, type World } from "./world.ts";

const ZONE = "Asia/Shanghai";
const writes = (change: (row: Json, call: Call) => unknown): Oddity => ({ writesCall: change });
const right = (name: string, oddity: Oddity, more: Partial<OddService> = {}): OddService => ({
  name,
  oddity,
  touches: [],
  ...more,
});

/** Every time of a row, a task and an event, in another form. */
function timesAs(write: (epochMs: number) => unknown): Oddity {
  const rewrite = (value: unknown) =>
    typeof value === "string" && value !== "" ? write(instantOfWall(value, ZONE) as number) : value;
  const change = (fields: Json, names: readonly string[]) => ({
    ...fields,
    ...Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, rewrite(fields[name])])),
  });
  return {
    writesCall: (row) => change(row, ["startAt", "answerAt", "endAt"]),
    writesTask: (body) => body && change(body, ["createdAt", "updatedAt"]),
    delivers: (body) => [{ ...body, event_data: change(body.event_data, ["start_at", "answer_at", "end_at"]) }],
  };
}

/** Every id of a row, a task and an event. */
function idsAs(write: (id: string) => unknown): Oddity {
  const id = (value: unknown) => write(JSON.stringify(value));
  return {
    writesCall: (row) => ({
      ...row,
      taskId: id(row["taskId"]),
      assistant: (row["assistant"] as Json[]).map((each) => ({ id: id(each["id"]), vid: id(each["vid"]) })),
    }),
    writesTask: (body) => body && { ...body, id: id(body["id"]), assistantVid: id(body["assistantVid"]) },
    delivers: (body) => [
      {
        ...body,
        event_data: {
          ...body.event_data,
          task_id: id(body.event_data["task_id"]),
          task_item_id: id(body.event_data["task_item_id"]),
        },
      },
    ],
  };
}

const beyondDoubles = (world: World): World => {
  const large = (id: string) => `9007199254740993${id.padStart(3, "0")}`;
  const largeOf = <T extends { id: string; vid: string }>({ id, vid }: T) => ({ id: large(id), vid: large(vid) });
  return {
    ...world,
    tasks: world.tasks.map((task) => ({ ...task, id: large(task.id), assistant: task.assistant })),
    calls: world.calls.map((call) => ({
      ...call,
      taskId: call.taskId && large(call.taskId),
      taskItemId: call.taskItemId && large(call.taskItemId),
      assistants: call.assistants.map(largeOf),
    })),
  };
};

const goDuration = (seconds: unknown) => `${Math.floor(Number(seconds) / 60)}m${Number(seconds) % 60}s`;
const withDurations = (write: (value: unknown) => unknown) =>
  writes((row) => ({ ...row, duration: write(row["duration"]), billsec: write(row["billsec"]) }));
const every = (nth: number) => (call: Call) => Number(call.recordFile.replaceAll(/\D/g, "")) % nth === 0;
const [some, few] = [every(5), every(40)];

/** Where the list of a task begins whose creation cannot be read (docs/graph.md). */
const BEFORE_ALL = instantOfWall("2000-01-01 00:00:00", ZONE) as number;
/** An event whose end cannot be read stands at its receipt. */
const unreadTimes: Partial<OddService> = {
  taskBegins: BEFORE_ALL,
  reads: (call) => ({ ...call, endAt: usual.now, answerAt: (call.billsec ?? 0) > 0 ? call.answerAt : null }),
};

const times: OddService[] = [
  right(
    "writes times as epoch seconds",
    timesAs((at) => at / 1000),
  ),
  right(
    "writes times as epoch milliseconds",
    timesAs((at) => at),
  ),
  right(
    "writes times as texts of epoch seconds",
    timesAs((at) => String(at / 1000)),
  ),
  right(
    "writes times in UTC, and says so",
    timesAs((at) => new Date(at).toISOString()),
  ),
  right(
    "writes times with another offset",
    timesAs((at) => new Date(at - 5 * HOUR).toISOString().replace("Z", "-05:00")),
  ),
  right(
    "writes times with nanoseconds",
    timesAs((at) => `${wallClock(at, ZONE).replace(" ", "T")}.000000000+08:00`),
  ),
  right(
    "writes times with slashes",
    timesAs((at) => wallClock(at, ZONE).replaceAll("-", "/")),
    unreadTimes,
  ),
  right(
    "writes times with the name of their zone",
    timesAs((at) => `${wallClock(at, ZONE)} +0800 CST`),
    unreadTimes,
  ),
  right(
    "writes no time as Go's zero time",
    writes((row) => ({
      answerAt: "0001-01-01T00:00:00Z",
      endAt: "0001-01-01T00:00:00Z",
      ...(JSON.parse(JSON.stringify(row)) as Json),
    })),
  ),
  right(
    "writes no time as an empty text",
    writes((row) => ({ ...row, answerAt: row["answerAt"] ?? "", endAt: row["endAt"] ?? "" })),
  ),
  right(
    "writes no time as null",
    writes((row) => ({ ...row, answerAt: row["answerAt"] ?? null, endAt: row["endAt"] ?? null })),
  ),
  right(
    "writes no time as 0",
    writes((row) => ({ ...row, answerAt: row["answerAt"] ?? 0, endAt: row["endAt"] ?? 0 })),
  ),
  right(
    "writes some times as a word",
    writes((row, call) => (some(call) ? { ...row, endAt: "soon", answerAt: "待定" } : row)),
  ),
];

/** Two instants share a wall clock: what is read is right, or told; filters and statistics take the earlier one. */
const BERLIN = "Europe/Berlin";
const earlier = (at: number | null) => (at === null ? null : (instantOfWall(wallClock(at, BERLIN), BERLIN) as number));
const clocks: OddService[] = [
  right(
    "has clocks that are set back",
    {},
    {
      world: { zone: BERLIN, now: Date.parse("2026-10-25T05:00:00Z"), days: 1 },
      reads: (call) => ({ ...call, endAt: earlier(call.endAt) }),
    },
  ),
  right(
    "has clocks that are set forward",
    {},
    { world: { zone: BERLIN, now: Date.parse("2026-03-29T05:00:00Z"), days: 1 } },
  ),
];

const numbers: OddService[] = [
  right(
    "writes ids as texts",
    idsAs((id) => id),
  ),
  right("has ids beyond 2^53", {}, { changes: beyondDoubles }),
  right(
    "has ids beyond 2^53, as texts",
    idsAs((id) => id),
    { changes: beyondDoubles },
  ),
  right("writes durations as texts", withDurations(String)),
  right("writes durations as 1m5s", withDurations(goDuration)),
  right(
    "writes durations with a fraction",
    withDurations((value) => raw(`${String(value)}.0`)),
  ),
  right(
    "writes durations with an exponent",
    withDurations((value) => raw(`${Number(value) / 10}e1`)),
  ),
  right(
    "writes no duration",
    withDurations(() => null),
    { shows: (call) => ({ ...call, duration: null, billsec: null }) },
  ),
  right(
    "writes percentages with a fraction",
    { writesTask: (body) => body && { ...body, progress: 33.3, collectionRate: "12.50" } },
    { showsTask: () => ({ progress: 33.3, collectionRate: 12.5 }) },
  ),
];

const rows: OddService[] = [
  right(
    "names no session in some rows",
    writes((row, call) => (some(call) ? { ...row, sessionId: undefined } : row)),
    {
      shows: (call) => (some(call) ? { ...call, sessionId: null } : call),
    },
  ),
  right(
    "names no session at all",
    writes((row) => ({ ...row, sessionId: undefined })),
    { shows: (call) => ({ ...call, sessionId: null }) },
  ),
  right(
    "names sessions by an empty text",
    writes((row) => ({ ...row, sessionId: "" })),
    { shows: (call) => ({ ...call, sessionId: null }) },
  ),
  {
    name: "names the same session in different calls",
    oddity: writes((row, call) => (some(call) ? { ...row, sessionId: "same" } : row)),
    shows: (call) => (some(call) ? { ...call, sessionId: "same" } : call),
    touches: ["lists"],
  },
  right(
    "writes assistant as null where there is none",
    writes((row) => ({ ...row, assistant: (row["assistant"] as unknown[]).length > 0 ? row["assistant"] : null })),
  ),
  right(
    "has one row with an unreadable assistant",
    writes((row, call) => (few(call) ? { ...row, assistant: [{ id: "A-4", vid: null }] } : row)),
  ),
  right(
    "has rows without an assistant field",
    writes((row, call) => (few(call) ? { ...row, assistant: undefined } : row)),
  ),
  right(
    "has an assistant that is a text",
    writes((row, call) => (few(call) ? { ...row, assistant: "none" } : row)),
  ),
  right(
    "tells no task in its rows",
    writes((row) => ({ ...row, taskId: undefined })),
    { shows: (call) => ({ ...call, taskId: null }) },
  ),
  right(
    "tells the tasks of inbound calls as null",
    writes((row, call) => (call.taskId === null ? { ...row, taskId: null } : row)),
  ),
  right(
    "writes directions in capitals",
    writes((row) => ({ ...row, direction: String(row["direction"]).toUpperCase() })),
  ),
  {
    name: "writes numbers with blanks and dashes",
    oddity: writes((row) => ({ ...row, callee: String(row["callee"]).replace(/(\d{4})(\d{4})$/, "-$1 $2") })),
    shows: (call) => ({ ...call, callee: call.callee.replace(/(\d{4})(\d{4})$/, "-$1 $2") }),
    touches: [],
  },
  {
    name: "writes numbers masked",
    oddity: writes((row) => ({ ...row, callee: "138****0001" })),
    shows: (call) => ({ ...call, callee: "138****0001" }),
    touches: ["phone"],
  },
  right("has keys such as __proto__", {
    writesCall: (row) =>
      JSON.parse(
        `{"__proto__":{"sessionId":"x"},"constructor":1,"toString":null,${JSON.stringify(row).slice(1)}`,
      ) as unknown,
    lists: ({ body }) => ({ ...body, hasOwnProperty: 1, data: [] }),
  }),
  { name: "has a row that is null", oddity: writes((row, call) => (few(call) ? null : row)), touches: ["lists"] },
  { name: "has a row that is a text", oddity: writes((row, call) => (few(call) ? "row" : row)), touches: ["lists"] },
];

const answers: OddService[] = [
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

describe.concurrent("nothing is silently wrong over a service that writes oddly", () => {
  it.for([...times, ...clocks, ...numbers, ...rows, ...answers, ...tasks])("a service that $name", (odd) =>
    examine(odd),
  );
});
