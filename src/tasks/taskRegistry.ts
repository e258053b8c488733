// Remembers the tasks that the gateway has seen in queries and events, because the service has no list of tasks.
import { isPositiveId } from "../format/fieldParsers.ts";
import { epochMsOf, instantOf, type Instant } from "../format/instant.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { Logger } from "../logger.ts";
import type { KnownTask, TaskStore, TaskPosition } from "../store/tasks/taskStore.ts";
import type { TaskRecord, Upstream } from "../upstream/upstream.ts";
import { HOUR_MS } from "../util/durations.ts";
import { createWriteBehind, saveInBatches, setNewest, WRITE_DELAY_MS } from "./writeBehind.ts";

export interface TaskRegistry extends AsyncDisposable {
  /** Records a task that the service returned. It is written a moment later. */
  observe(task: Pick<TaskRecord, "taskId" | "createdAt" | "updatedAt">): void;
  /** Stores the tasks of these events. A repeat changes nothing. Throws STORE_UNAVAILABLE. */
  addFromEvents(events: readonly CallEndedEvent[]): Promise<void>;
  /**
   * The last active task first, everything that was observed here included. `after: null` begins at the first. `only`: of these
   * tasks, and of those that a viewer submitted.
   */
  page(after: TaskPosition | null, limit: number, only?: OnlyTasks): Promise<KnownTask[]>;
}

/** Null: all. Both must hold. */
export interface OnlyTasks {
  taskIds: readonly string[] | null;
  submittedBy: string | null;
}

export interface TaskRegistryDeps {
  store: TaskStore;
  clock: () => number;
  log: Logger;
  delayMs?: number;
}

/** Tasks that wait, and tasks that were written recently. The oldest one beyond is stored when it is seen again. */
const MAX_CACHED = 10_000;
/** An unchanged task is written again after this time, because retention counts from when it was last seen. */
const TOUCH_MS = HOUR_MS;
/** For a task without readable times, which is listed last. */
const NEVER = "1970-01-01T00:00:00.000Z";

/** Disposing it writes what still waits. */
export function createTaskRegistry({ store, clock, log, delayMs = WRITE_DELAY_MS }: TaskRegistryDeps): TaskRegistry {
  const waiting = new Map<string, KnownTask>();
  const written = new Map<string, KnownTask>();
  const writes = createWriteBehind({ write, delayMs, log });

  async function write(): Promise<void> {
    const save = async (batch: readonly KnownTask[]) => {
      await store.save(batch);
      for (const task of batch) setNewest(written, task.taskId, task, MAX_CACHED);
    };
    await saveInBatches(waiting, save, log);
  }

  return {
    observe({ taskId, updatedAt, createdAt }) {
      const seenAt = instantOf(clock());
      const activeAt = updatedAt ?? createdAt ?? NEVER;
      const task = { taskId, activeAt: activeAt < seenAt ? activeAt : seenAt, seenAt };
      const before = waiting.get(taskId) ?? written.get(taskId);
      const isNew = !before || before.activeAt < task.activeAt;
      if (!isNew && epochMsOf(seenAt) - epochMsOf(before.seenAt) < TOUCH_MS) return;
      setNewest(waiting, taskId, task, MAX_CACHED);
      writes.schedule();
    },
    async addFromEvents(events) {
      const tasks = new Map<string, KnownTask>();
      for (const { taskId, endAt, receivedAt } of events) {
        if (taskId === null || !isPositiveId(taskId)) continue;
        // An end in the future, from a wrong clock, must not keep a task on top.
        const activeAt = endAt !== null && endAt < receivedAt ? endAt : receivedAt;
        const task = { taskId, activeAt, seenAt: receivedAt };
        tasks.set(taskId, merged(tasks.get(taskId) ?? task, task));
      }
      await store.save([...tasks.values()]);
    },
    async page(after, limit, only = { taskIds: null, submittedBy: null }) {
      await writes.flush();
      return store.page({ after, limit, ...only });
    },
    [Symbol.asyncDispose]: () => writes[Symbol.asyncDispose](),
  };
}

function merged(a: KnownTask, b: KnownTask): KnownTask {
  const later = (one: Instant, other: Instant) => (one > other ? one : other);
  return {
    taskId: a.taskId,
    activeAt: later(a.activeAt, b.activeAt),
    seenAt: later(a.seenAt, b.seenAt),
  };
}

/** Wraps the service so that `onTask` is called with every task that it returns. */
export function observeTasks(upstream: Upstream, onTask: (task: TaskRecord) => void): Upstream {
  return {
    ...upstream,
    getTask: (taskId, requester) =>
      upstream.getTask(taskId, requester).then((task) => {
        if (task) onTask(task);
        return task;
      }),
  };
}
