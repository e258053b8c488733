// Streams the progress of a task. All watchers of a task share one poll of the service: every few seconds, and when one of its
// calls ends, but never more often. Polls do not overlap, so an older answer never replaces a newer one.
import { shareCost } from "../auth/sharedPayment.ts";
import type { Viewer } from "../auth/scopes.ts";
import type { EventLog } from "../events/eventLog.ts";
import { createRequester } from "../upstream/requester.ts";
import type { Logger } from "../logger.ts";
import type { TaskRecord, Upstream } from "../upstream/upstream.ts";
import type { MaybePromise } from "../util/maybePromise.ts";
import { createSharedPoller, type PollContext } from "./sharedPoller.ts";

export interface TaskProgressDeps {
  upstream: Pick<Upstream, "getTask">;
  events: Pick<EventLog, "follow">;
  /** Charges the viewer for a request to the service. Throws RATE_LIMITED. */
  pay: (viewer: Viewer) => MaybePromise<void>;
  log: Logger;
  /** From one poll of a task to the next. */
  intervalMs?: number;
}

const INTERVAL_MS = 5000;
const RETRY_MS = 1000;

/** Null: the service has no such task. One of the watchers is charged for each poll. */
export type TaskProgress = (taskId: string, viewer: Viewer) => AsyncIterableIterator<TaskRecord | Error | null>;

interface Watcher {
  viewer: () => Viewer;
}

export function createTaskProgress({
  upstream,
  events,
  pay,
  log,
  intervalMs = INTERVAL_MS,
}: TaskProgressDeps): TaskProgress {
  async function poll(taskId: string, { watchers, signal }: PollContext<Watcher>): Promise<TaskRecord | null> {
    const requester = createRequester({ fresh: true, signal, payRateLimit: () => shareCost(watchers, pay) });
    const task = await upstream.getTask(taskId, requester);
    return task && { ...task, progress: percent(task.progress), collectionRate: percent(task.collectionRate) };
  }

  const watch = createSharedPoller<TaskRecord | null, Watcher>({
    poll,
    serialize,
    isFinal: () => false,
    onOpen: (taskId, pollNow) => followCalls(taskId, () => pollNow({ isNews: true }), { events, log }),
    intervalMs,
    minIntervalMs: intervalMs,
  });
  return (taskId, viewer) => watch(taskId, { viewer: () => viewer });
}

/** The text of all fields, the parts that are parsed on demand included. */
function serialize(task: TaskRecord | null): string {
  return JSON.stringify(task && [task, partOrError(task.option), partOrError(task.assistant), task.unread()]);
}

function partOrError(part: () => unknown): unknown {
  try {
    return part();
  } catch (error) {
    return (error as Error).message;
  }
}

/** The document names no range for percentages (section 3), so values are limited to 0 to 100. */
function percent(value: number | null): number | null {
  return value === null ? null : Math.min(100, Math.max(0, value));
}

/** Calls `onEnded` for each event of the task's calls from now on. It continues when the log fails for a while. */
async function followCalls(
  taskId: string,
  onEnded: () => void,
  { events, log }: Pick<TaskProgressDeps, "events" | "log">,
): Promise<AsyncDisposable> {
  let stop = () => undefined as void;
  let isOver = false;
  let retry: NodeJS.Timeout | undefined;

  async function follow(onStarted: () => void): Promise<void> {
    try {
      const items = await events.follow({ after: null, filter: { taskIds: [taskId] }, revisions: true });
      stop = () => void items.return?.();
      if (isOver) stop();
      onStarted();
      for await (const item of items) if (item.kind === "event") onEnded();
    } catch (err) {
      if (isOver) return;
      log.warn({ err }, "the events of a watched task cannot be followed; it is polled nevertheless");
      onStarted();
      retry = setTimeout(() => void follow(onEnded), RETRY_MS);
    }
  }

  await new Promise<void>((resolve) => void follow(resolve));
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      clearTimeout(retry);
      stop();
    },
  };
}
