// What rules on tasks ask the service and the log.
import type { Running, TaskFacts } from "../alerts/noCallConditions.ts";
import type { TaskDays } from "../config/variables.ts";
import { epochMsOf, instantOf } from "../format/instant.ts";
import { createTimeRangeReader } from "../loaders/timeRange.ts";
import type { ReadLastEnds } from "../store/alerts/lastEnds.ts";
import type { TaskRegistry } from "../tasks/taskRegistry.ts";
import { hoursAround, type HoursAround } from "../tasks/taskHours.ts";
import { createRequester } from "../upstream/requester.ts";
import type { CallLogRecord, TaskRecord, Upstream } from "../upstream/upstream.ts";
import { HOUR_MS } from "../util/durations.ts";

export interface TaskFactsDeps {
  upstream: Pick<Upstream, "getTask" | "listCallLogs">;
  tasks: Pick<TaskRegistry, "page">;
  lastEnds: ReadLastEnds;
  /** The service's IANA zone. */
  timeZone: string;
  days: TaskDays | null;
  clock: () => number;
}

/** Tasks of rules that name none. */
const MAX_KNOWN = 300;
/** Calls begin before they end. Which of the two times a range of the service's list means is not known. */
const LONGEST_CALL_MS = 2 * HOUR_MS;
/** A longer list is not read to its end. */
const MAX_ROWS = 2000;

/** Ends the reading of a list. */
class Enough extends Error {
  override readonly name = "Enough";
}

/** Null: the hours cannot be read. */
export function hoursOf(task: TaskRecord, { timeZone, days }: TaskFactsDeps, now: number): HoursAround | null {
  let option: ReturnType<TaskRecord["option"]>;
  try {
    option = task.option();
  } catch {
    return null;
  }
  return option && hoursAround(option, { days, timeZone, now });
}

export function createTaskFacts(deps: TaskFactsDeps): TaskFacts {
  const { upstream, tasks, lastEnds, timeZone, clock } = deps;
  const readRange = createTimeRangeReader({ upstream, timeZone, onUnreadable: () => undefined });
  return {
    async known() {
      return (await tasks.page(null, MAX_KNOWN)).map(({ taskId }) => taskId);
    },
    async lastEnds(taskIds, since) {
      const now = clock();
      const found = await lastEnds(taskIds, instantOf(since));
      // A clock of the service that is ahead makes no task silent later.
      return new Map([...found].map(([taskId, end]) => [taskId, Math.min(epochMsOf(end), now)]));
    },
    async running(taskId, signal): Promise<Running> {
      const task = await upstream.getTask(taskId, createRequester({ signal, fresh: true }));
      if (task === null) return { kind: "notRunning", isDone: false };
      if (task.status === null) return { kind: "unknown", doubt: `The status of task ${taskId} cannot be read.` };
      if (task.status !== "running") return { kind: "notRunning", isDone: task.status === "done" };
      const hours = hoursOf(task, deps, clock());
      if (hours === null) return { kind: "unknown", doubt: `The hours of task ${taskId} cannot be read.` };
      if (hours.current === null) return { kind: "notRunning", isDone: false };
      return { kind: "running", since: hours.current.begin, isSure: hours.current.isSure };
    },
    async newestEnd(taskId, after, enough, signal) {
      const now = clock();
      let newest: number | null = null;
      const isOfTask = (row: CallLogRecord) => row.taskId === null || row.taskId === taskId;
      async function addRows(rows: readonly CallLogRecord[]): Promise<void> {
        for (const row of rows) {
          if (row.endAt === null || !isOfTask(row)) continue;
          const end = Math.min(epochMsOf(row.endAt), now);
          if (end > after) newest = Math.max(newest ?? 0, end);
          if (end > enough) throw new Enough();
        }
      }
      const range = { from: after - LONGEST_CALL_MS, to: now, taskIds: [taskId] };
      const requester = createRequester({ signal, fresh: true });
      try {
        const read = await readRange(range, { requester, addRows, maxRows: MAX_ROWS });
        return read === "complete" ? newest : "unknown";
      } catch (error) {
        if (error instanceof Enough) return newest;
        throw error;
      }
    },
  };
}
