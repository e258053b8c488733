// The tasks of a lively history: they dial as fast as live ones, and those that run began in the last hours.
import { isOver, type HistoryDeps, type Task, type TaskStatus } from "./model.ts";
import type { Random } from "../random.ts";
import { CALLS_PER_LINE } from "../telephony/dialler.ts";
import { dayOf, formatWall } from "../timeText.ts";

/** Calls are cut short to end before now. */
export const LATEST_CALL_AGO_MS = 5000;
const MINUTE_MS = 60_000;
/** How long the running tasks have run. */
const RUNNING_MS = [110, 65, 30].map((minutes) => minutes * MINUTE_MS);
/** The mean length of a call of a task, with its ringing. */
const MEAN_CALL_MS = 50_000;
const END = { over: "18:30", running: "23:59:59" };
/** The share of outbound calls that are answered, by the hour: people are at home in the evening. */
const ANSWERED_BY_HOUR = [...Array<number>(9).fill(0.5), 0.53, 0.56, 0.51, 0.44, 0.46, 0.52, 0.55, 0.58, 0.62, 0.67];
const ANSWERED_LATER = 0.64;

/** Lets the first of the tasks that the plan has running run; the others are done. `place`: from 0. */
export const livelyStatus = (status: TaskStatus, place: number): TaskStatus =>
  status === "running" && place >= RUNNING_MS.length ? "done" : status;

/** When the task dials. Null: in the usual hours, because it did not dial yet. */
export function livelyHours(status: TaskStatus, place: number, deps: HistoryDeps, random: Random): string[][] | null {
  if (status === "pending") return null;
  if (status === "running") {
    const began = Math.max(deps.now - (RUNNING_MS[place] ?? 0), dayOf(deps.now, deps.timeZone).start);
    return [[formatWall(began, deps.timeZone).slice(11, 16), END.running]];
  }
  return [[`${String(random.int(9, 16)).padStart(2, "0")}:${random.pick(["00", "15", "30", "45"])}`, END.over]];
}

/** The calls of the task and the end of their time: it dials until its share is done, or until now. */
export function livelyPace(task: Task, share: number, first: number, latest: number): { calls: number; last: number } {
  const everyMs = MEAN_CALL_MS / (task.lines.length * CALLS_PER_LINE);
  const calls = isOver(task) ? share : Math.floor((latest - first) / everyMs);
  return { calls, last: Math.min(latest, first + calls * everyMs) };
}

export const answeredShareAt = (instant: number, { timeZone }: HistoryDeps): number =>
  ANSWERED_BY_HOUR[Number(formatWall(instant, timeZone).slice(11, 13))] ?? ANSWERED_LATER;
