// What rules on tasks without calls ask the log and the service.
import type { SeenTask, SilenceFacts } from "../alerts/noCalls.ts";
import type { TaskDays } from "../config/variables.ts";
import { epochMsOf, instantOf } from "../format/instant.ts";
import type { SilenceStore } from "../store/alerts/silenceStore.ts";
import { hoursAt } from "../tasks/taskHours.ts";
import { createRequester } from "../upstream/requester.ts";
import type { TaskRecord, Upstream } from "../upstream/upstream.ts";

export interface SilenceFactsDeps {
  upstream: Pick<Upstream, "getTask" | "listCallLogs">;
  store: SilenceStore;
  /** The service's IANA zone. */
  timeZone: string;
  days: TaskDays | null;
  clock: () => number;
}

export function createSilenceFacts({ upstream, store, timeZone, days, clock }: SilenceFactsDeps): SilenceFacts {
  const msOf = (instant: string | null) => (instant === null ? null : epochMsOf(instant));
  const textOf = (ms: number | null) => (ms === null ? null : instantOf(ms));
  return {
    async runs(taskIds) {
      const found = await store.runs(taskIds);
      return new Map(
        [...found].map(([id, { since, seenAt }]) => [id, { since: msOf(since), seenAt: epochMsOf(seenAt) }]),
      );
    },
    saveRuns: (runs) =>
      store.saveRuns(
        new Map([...runs].map(([id, { since, seenAt }]) => [id, { since: textOf(since), seenAt: instantOf(seenAt) }])),
      ),
    async lastEnds(taskIds, since) {
      const { ends, unread } = await store.lastEnds(taskIds, instantOf(since));
      return { ends: new Map([...ends].map(([taskId, end]) => [taskId, epochMsOf(end)])), unread: msOf(unread) };
    },
    async see(taskId, signal): Promise<SeenTask> {
      const task = await upstream.getTask(taskId, createRequester({ signal, fresh: true }));
      if (task === null) return { kind: "notRunning" };
      if (task.status === null) return { kind: "unknown", doubt: `The status of task ${taskId} cannot be read.` };
      if (task.status !== "running") return { kind: "notRunning" };
      const hours = hoursOf(task);
      if (hours === null) return { kind: "unknown", doubt: `The hours of task ${taskId} cannot be read.` };
      return hours === "none" ? { kind: "notRunning" } : { kind: "running", begin: hours.begin, isSure: hours.isSure };
    },
    async listsCalls(taskId, since, signal) {
      const range = { since: instantOf(since), until: instantOf(clock()) };
      const any = { direction: null, phone: null, assistantIds: [], kind: null };
      const query = { taskIds: [taskId], ...range, ...any, pageIndex: 1, pageSize: 1 };
      const { rows, total } = await upstream.listCallLogs(query, createRequester({ signal, fresh: true }));
      return rows.length > 0 || total > 0;
    },
  };
  function hoursOf(task: TaskRecord) {
    try {
      const option = task.option();
      return option && hoursAt(option, { days, timeZone, now: clock() });
    } catch {
      // The option is of another shape.
      return null;
    }
  }
}
