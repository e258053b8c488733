// Services that write ids, numbers and rows in odd forms.
import { rawId } from "../serviceFormat.ts";
import type { Json, Oddity } from "../service.ts";
import type { OddService } from "../examine.ts";
import type { Assistant, Call, World } from "../world.ts";
import { right, writes } from "./oddities.ts";

/** Rewrites every id of a row, a task and an event. */
function idsAs(write: (id: string) => unknown): Oddity {
  const id = (value: unknown) => write(JSON.stringify(value));
  return {
    writeCall: (row) => ({
      ...row,
      taskId: id(row["taskId"]),
      assistant: (row["assistant"] as Json[]).map((each) => ({ id: id(each["id"]), vid: id(each["vid"]) })),
    }),
    writeTask: (body) => body && { ...body, id: id(body["id"]), assistantVid: id(body["assistantVid"]) },
    deliver: (body) => [
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
  const largeOf = ({ id, vid }: Assistant) => ({ id: large(id), vid: large(vid) });
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
    withDurations((value) => rawId(`${String(value)}.0`)),
  ),
  right(
    "writes durations with an exponent",
    withDurations((value) => rawId(`${Number(value) / 10}e1`)),
  ),
  right(
    "writes no duration",
    withDurations(() => null),
    { listedCall: (call) => ({ ...call, duration: null, billsec: null }) },
  ),
  right(
    "writes percentages with a fraction",
    { writeTask: (body) => body && { ...body, progress: 33.3, collectionRate: "12.50" } },
    { shownTask: () => ({ progress: 33.3, collectionRate: 12.5 }) },
  ),
];

const own: OddService[] = [
  right(
    "names no session in some rows",
    writes((row, call) => (some(call) ? { ...row, sessionId: undefined } : row)),
    {
      listedCall: (call) => (some(call) ? { ...call, sessionId: null } : call),
    },
  ),
  right(
    "names no session at all",
    writes((row) => ({ ...row, sessionId: undefined })),
    { listedCall: (call) => ({ ...call, sessionId: null }) },
  ),
  right(
    "names sessions by an empty text",
    writes((row) => ({ ...row, sessionId: "" })),
    { listedCall: (call) => ({ ...call, sessionId: null }) },
  ),
  {
    name: "names the same session in different calls",
    oddity: writes((row, call) => (some(call) ? { ...row, sessionId: "same" } : row)),
    listedCall: (call) => (some(call) ? { ...call, sessionId: "same" } : call),
    affects: ["lists"],
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
    { listedCall: (call) => ({ ...call, taskId: null }) },
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
    listedCall: (call) => ({ ...call, callee: call.callee.replace(/(\d{4})(\d{4})$/, "-$1 $2") }),
    affects: [],
  },
  {
    name: "writes numbers masked",
    oddity: writes((row) => ({ ...row, callee: "138****0001" })),
    listedCall: (call) => ({ ...call, callee: "138****0001" }),
    affects: ["phone"],
  },
  right("has keys such as __proto__", {
    writeCall: (row) =>
      JSON.parse(
        `{"__proto__":{"sessionId":"x"},"constructor":1,"toString":null,${JSON.stringify(row).slice(1)}`,
      ) as unknown,
    writeList: ({ body }) => ({ ...body, hasOwnProperty: 1, data: [] }),
  }),
  { name: "has a row that is null", oddity: writes((row, call) => (few(call) ? null : row)), affects: ["lists"] },
  { name: "has a row that is a text", oddity: writes((row, call) => (few(call) ? "row" : row)), affects: ["lists"] },
];

export const rows: readonly OddService[] = [...numbers, ...own];
