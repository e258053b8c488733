// What rules on tasks ask the log and the service.
import type { SeenPeople, SeenRun, SeenTask } from "../alerts/taskLook.ts";
import type { TaskFacts } from "../alerts/taskLooks.ts";
import type { TaskDays } from "../config/variables.ts";
import { epochMsOf, instantOf } from "../format/instant.ts";
import type { TaskLookStore } from "../store/alerts/taskLookStore.ts";
import type { TaskRegistry } from "../tasks/taskRegistry.ts";
import { hoursAround, type HoursAround } from "../tasks/taskHours.ts";
import { createRequester } from "../upstream/requester.ts";
import { MAX_TASK_IDS, type TaskRecord, type Upstream } from "../upstream/upstream.ts";

export interface TaskFactsDeps {
  upstream: Pick<Upstream, "getTask" | "listCallLogs">;
  store: TaskLookStore;
  /** The tasks that gateways have seen. */
  tasks: Pick<TaskRegistry, "page">;
  /** The service's IANA zone. */
  timeZone: string;
  days: TaskDays | null;
  clock: () => number;
}

export function createTaskFacts({ upstream, store, tasks, timeZone, days, clock }: TaskFactsDeps): TaskFacts {
  const msOf = (instant: string | null) => (instant === null ? null : epochMsOf(instant));
  const textOf = (ms: number | null) => (ms === null ? null : instantOf(ms));
  return {
    async runs(names) {
      const found = await store.runs(names);
      return new Map(
        [...found].map(([id, { since, seenAt }]) => [id, { since: msOf(since), seenAt: epochMsOf(seenAt) }]),
      );
    },
    saveRuns: (runs) =>
      store.saveRuns(
        new Map([...runs].map(([id, { since, seenAt }]) => [id, { since: textOf(since), seenAt: instantOf(seenAt) }])),
      ),
    async known(limit) {
      const found = await tasks.page(null, limit);
      return found.map(({ taskId, activeAt }) => ({ taskId, activeAt: epochMsOf(activeAt) }));
    },
    assistantsOfUnknown: (since, before) => store.assistantsOfUnknown(instantOf(since), instantOf(before)),
    notes: () => store.notes(),
    saveNotes: (notes, at) => store.saveNotes(notes, instantOf(at)),
    saveDoubts: (doubts, at) => store.saveDoubts(doubts, instantOf(at)),
    async lastEnds(taskIds, since) {
      const { ends, unread } = await store.lastEnds(taskIds, instantOf(since));
      return { ends: new Map([...ends].map(([taskId, end]) => [taskId, epochMsOf(end)])), unread: msOf(unread) };
    },
    async see(taskId, signal): Promise<SeenTask> {
      const task = await upstream.getTask(taskId, createRequester({ signal, fresh: true }));
      if (task === null) return NO_TASK;
      const hours = hoursOf(task);
      return {
        run: runOf(task, hours),
        people: peopleOf(task, hours),
        assistantId: task.assistantRef?.assistantId ?? null,
        isOver: task.status !== null && task.status !== "pending" && task.status !== "running",
        changedAt: msOf(task.updatedAt),
      };
    },
    async listsCalls(taskIds, since, signal) {
      const range = { since: instantOf(since), until: instantOf(clock()) };
      const any = { direction: null, phone: null, assistantIds: [], kind: null };
      for (let at = 0; at < taskIds.length; at += MAX_TASK_IDS) {
        const some = taskIds.slice(at, at + MAX_TASK_IDS);
        const query = { taskIds: some, ...range, ...any, pageIndex: 1, pageSize: 1 };
        const { rows, total } = await upstream.listCallLogs(query, createRequester({ signal, fresh: true }));
        if (rows.length > 0 || total > 0) return true;
      }
      return false;
    },
  };
  function hoursOf(task: TaskRecord): HoursAround | null {
    try {
      const option = task.option();
      return option && hoursAround(option, { days, timeZone, now: clock() });
    } catch {
      // The option is of another shape.
      return null;
    }
  }
}

const NO_TASK: SeenTask = {
  run: { kind: "notRunning" },
  people: { kind: "gone" },
  assistantId: null,
  isOver: true,
  changedAt: null,
};

const statusUnread = (taskId: string) =>
  ({ kind: "unknown", doubt: `The status of task ${taskId} cannot be read.` }) as const;
const hoursUnread = (taskId: string) =>
  ({ kind: "unknown", doubt: `The hours of task ${taskId} cannot be read.` }) as const;

function runOf({ taskId, status }: TaskRecord, hours: HoursAround | null): SeenRun {
  if (status === null) return statusUnread(taskId);
  if (status !== "running") return { kind: "notRunning" };
  if (hours === null) return hoursUnread(taskId);
  if (hours.current === null) return { kind: "notRunning" };
  const { begin, isSure } = hours.current;
  return { kind: "running", begin, isSure };
}

function peopleOf(task: TaskRecord, hours: HoursAround | null): SeenPeople {
  const { taskId, status, total, progress } = task;
  if (status === null) return statusUnread(taskId);
  if (status === "done") return { kind: "done", total, progress };
  if (status === "stop.operate") return { kind: "stopped" };
  if (status === "stop.timeout" || status === "stop.abnormal") return { kind: "ended", total, progress };
  if (hours === null) return hoursUnread(taskId);
  const createdAt = task.createdAt === null ? null : epochMsOf(task.createdAt);
  return { kind: "open", createdAt, ...hours, total, progress };
}
