// Services that write times in many forms, or none.
import { parseWallClock, wallClock } from "../serviceFormat.ts";
import type { Json, Oddity } from "../service.ts";
import type { OddService } from "../examine.ts";
import { HOUR, usual, type Call } from "../world.ts";
import { right, writes } from "./oddities.ts";

const ZONE = "Asia/Shanghai";

/** Rewrites every time of a row, a task and an event. */
function timesAs(write: (epochMs: number) => unknown): Oddity {
  const rewrite = (value: unknown) =>
    typeof value === "string" && value !== "" ? write(parseWallClock(value, ZONE) as number) : value;
  const change = (fields: Json, names: readonly string[]) => ({
    ...fields,
    ...Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, rewrite(fields[name])])),
  });
  return {
    writeCall: (row) => change(row, ["startAt", "answerAt", "endAt"]),
    writeTask: (body) => body && change(body, ["createdAt", "updatedAt"]),
    deliver: (body) => [{ ...body, event_data: change(body.event_data, ["start_at", "answer_at", "end_at"]) }],
  };
}

const every = (nth: number) => (call: Call) => Number(call.recordFile.replaceAll(/\D/g, "")) % nth === 0;
const some = every(5);

/** The start of a task's list if the task's creation time cannot be read (docs/queries.md). */
const BEFORE_ALL = parseWallClock("2000-01-01 00:00:00", ZONE) as number;
/** An event with an unreadable end counts at its receipt, and its row is searched around that time. */
const unreadTimes: Partial<OddService> = {
  isSearchedElsewhere: true,
  taskListStart: BEFORE_ALL,
  filteredCall: (call) => ({ ...call, endAt: usual.now, answerAt: (call.billsec ?? 0) > 0 ? call.answerAt : null }),
};

const own: OddService[] = [
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

/** Two instants share a wall clock time. A time is read correctly or reported; filters and statistics use the earlier instant. */
const BERLIN = "Europe/Berlin";
const earlier = (at: number | null) => (at === null ? null : (parseWallClock(wallClock(at, BERLIN), BERLIN) as number));
const clocks: OddService[] = [
  right(
    "has clocks that are set back",
    {},
    {
      world: { zone: BERLIN, now: Date.parse("2026-10-25T05:00:00Z"), days: 1 },
      filteredCall: (call) => ({ ...call, endAt: earlier(call.endAt) }),
    },
  ),
  right(
    "has clocks that are set forward",
    {},
    { world: { zone: BERLIN, now: Date.parse("2026-03-29T05:00:00Z"), days: 1 } },
  ),
];

export const times: readonly OddService[] = [...own, ...clocks];
