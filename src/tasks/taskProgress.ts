// A task as it goes on, for whoever watches it: one look at the service for all of them, when one of its calls has ended
// and every few seconds, and never more often. Looks follow each other, so an older answer never stands for a newer.
import { shareCost } from "../auth/sharedPayment.ts";
import type { Viewer } from "../auth/scopes.ts";
import type { EventLog } from "../events/eventLog.ts";
import { createRequester } from "../upstream/requester.ts";
import type { Log } from "../log.ts";
import type { TaskRecord, Upstream } from "../upstream/upstream.ts";
import { createSharedPoller, type PollContext } from "./sharedPoller.ts";

export interface TaskProgressDeps {
  upstream: Pick<Upstream, "getTask">;
  events: Pick<EventLog, "follow">;
  /** Counts a request to the service for the viewer; throws RATE_LIMITED. */
  pay: (viewer: Viewer) => Promise<void>;
  log: Log;
  /** From one look at a task to the next. */
  intervalMs?: number;
}

const EVERY_MS = 5000;
const RETRY_MS = 1000;

/** Null: the service has no such task. A look is paid by one of those who watch. */
export type TaskProgress = (taskId: string, viewer: Viewer) => AsyncIterableIterator<TaskRecord | Error | null>;

interface Watcher {
  viewer: () => Viewer;
}

export function createTaskProgress({
  upstream,
  events,
  pay,
  log,
  intervalMs: everyMs = EVERY_MS,
}: TaskProgressDeps): TaskProgress {
  async function look(taskId: string, { watchers, signal }: PollContext<Watcher>): Promise<TaskRecord | null> {
    const asker = createRequester({ fresh: true, signal, beforeSend: () => shareCost(watchers, pay) });
    const task = await upstream.getTask(taskId, asker);
    return task && { ...task, progress: percent(task.progress), collectionRate: percent(task.collectionRate) };
  }

  const watch = createSharedPoller<TaskRecord | null, Watcher>({
    poll: look,
    serialize: textOf,
    isFinal: () => false,
    onOpen: (taskId, called) => followCalls(taskId, () => called({ isNews: true }), { events, log }),
    intervalMs: everyMs,
    minIntervalMs: everyMs,
  });
  return (taskId, viewer) => watch(taskId, { viewer: () => viewer });
}

/** All that is told of it: its parts too, which are read when they are asked for. */
function textOf(task: TaskRecord | null): string {
  return JSON.stringify(task && [task, partOrError(task.option), partOrError(task.assistant), task.unread()]);
}

function partOrError(part: () => unknown): unknown {
  try {
    return part();
  } catch (error) {
    return (error as Error).message;
  }
}

/** The service does not say what bounds a percentage (section 3); more than all of them is none. */
function percent(value: number | null): number | null {
  return value === null ? null : Math.min(100, Math.max(0, value));
}

/** Calls back for each event of the task's calls, from now on; on, too, where the log fails for a while. */
async function followCalls(
  taskId: string,
  onEnded: () => void,
  { events, log }: Pick<TaskProgressDeps, "events" | "log">,
): Promise<AsyncDisposable> {
  let leave = () => undefined as void;
  let isOver = false;
  let retry: NodeJS.Timeout | undefined;

  async function follow(stands: () => void): Promise<void> {
    try {
      const items = await events.follow({ after: null, filter: { taskIds: [taskId] }, revisions: true });
      leave = () => void items.return?.();
      if (isOver) leave();
      stands();
      for await (const item of items) if (item.kind === "event") onEnded();
    } catch (err) {
      if (isOver) return;
      log.warn({ err }, "a watched task's events cannot be followed; it is looked at all the same");
      stands();
      retry = setTimeout(() => void follow(onEnded), RETRY_MS);
    }
  }

  await new Promise<void>((stands) => void follow(stands));
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      clearTimeout(retry);
      leave();
    },
  };
}
