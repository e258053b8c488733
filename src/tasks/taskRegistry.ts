// The tasks that the gateway knows of, by a query, an event or a submission (whose task is found by one of them): the service
// has no list of them.
import { isPositiveId } from "../format/fieldParsers.ts";
import { epochMsOf, instantOf, type Instant } from "../format/instant.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { Log } from "../log.ts";
import type { KnownTask, TaskStore, TaskPosition } from "../store/tasks/taskStore.ts";
import type { TaskRecord } from "../upstream/upstream.ts";
import { createWriteBehind } from "./writeBehind.ts";

export interface TaskRegistry extends AsyncDisposable {
  /** Notes a task that the service showed, at once; it is written a moment later. */
  observe(task: Pick<TaskRecord, "taskId" | "createdAt" | "updatedAt">): void;
  /** Keeps the tasks of these events; the same ones again change nothing. Throws STORE_UNAVAILABLE. */
  addFromEvents(events: readonly CallEndedEvent[]): Promise<void>;
  /** Last active first, with all that was seen here; behind a place or, with null, from the first. */
  page(after: TaskPosition | null, limit: number): Promise<KnownTask[]>;
}

export interface TaskRegistryDeps {
  store: TaskStore;
  clock: () => number;
  log: Log;
  delayMs?: number;
}

const DELAY_MS = 100;
/** What waits or was written lately, in memory. */
const MOST = 10_000;
const AT_ONCE = 1000;
/** A task that did not change is written again after so long: retention goes by when it was last met. */
const TOUCH_MS = 3_600_000;
/** Of a task whose times cannot be read: it stands behind all others. */
const NEVER = "1970-01-01T00:00:00.000Z";

/** Disposing it writes what was seen. */
export function createTaskRegistry({ store, clock, log, delayMs = DELAY_MS }: TaskRegistryDeps): TaskRegistry {
  const waiting = new Map<string, KnownTask>();
  const written = new Map<string, KnownTask>();
  const behind = createWriteBehind({ write, delayMs, log });

  async function write(): Promise<void> {
    while (waiting.size > 0) {
      const some = [...waiting.values()].slice(0, AT_ONCE);
      await store.save(some);
      for (const task of some) {
        // Seen again while it was written, it waits on.
        if (waiting.get(task.taskId) === task) waiting.delete(task.taskId);
        remember(written, task);
      }
    }
  }

  return {
    observe({ taskId, updatedAt, createdAt }) {
      const seenAt = instantOf(clock());
      const told = updatedAt ?? createdAt ?? NEVER;
      const task = { taskId, activeAt: told < seenAt ? told : seenAt, seenAt };
      const before = waiting.get(taskId) ?? written.get(taskId);
      const isNew = !before || before.activeAt < task.activeAt;
      if (!isNew && epochMsOf(seenAt) - epochMsOf(before.seenAt) < TOUCH_MS) return;
      remember(waiting, task);
      behind.schedule();
    },
    async addFromEvents(events) {
      const tasks = new Map<string, KnownTask>();
      for (const { taskId, endAt, receivedAt } of events) {
        if (taskId === null || !isPositiveId(taskId)) continue;
        // A clock that runs ahead must not keep a task on top for days.
        const activeAt = endAt !== null && endAt < receivedAt ? endAt : receivedAt;
        const task = { taskId, activeAt, seenAt: receivedAt };
        tasks.set(taskId, merged(tasks.get(taskId) ?? task, task));
      }
      await store.save([...tasks.values()]);
    },
    async page(after, limit) {
      await behind.flush();
      return store.page({ after, limit });
    },
    [Symbol.asyncDispose]: () => behind[Symbol.asyncDispose](),
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

/** The oldest falls off: a task that is met again is known again. */
function remember(tasks: Map<string, KnownTask>, task: KnownTask): void {
  tasks.delete(task.taskId);
  tasks.set(task.taskId, task);
  const [oldest] = tasks.keys();
  if (tasks.size > MOST && oldest !== undefined) tasks.delete(oldest);
}
