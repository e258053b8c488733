// A task as it goes on, for whoever watches it: one look at the service for all of them, when one of its calls has ended
// and every few seconds, and never more often. Looks follow each other, so an older answer never stands for a newer.
import type { EventLog } from "../events/eventLog.ts";
import { createAsker } from "../upstream/asker.ts";
import type { Log } from "../log.ts";
import type { TaskRecord, Upstream } from "../upstream/upstream.ts";
import { createSharedWatch, type Watch } from "./sharedWatch.ts";

export interface TaskProgressDeps {
  upstream: Pick<Upstream, "getTask">;
  events: Pick<EventLog, "follow">;
  log: Log;
  /** From one look at a task to the next. */
  everyMs?: number;
}

const EVERY_MS = 5000;
const RETRY_MS = 1000;

/** Null: the service has no such task. */
export function createTaskProgress({
  upstream,
  events,
  log,
  everyMs = EVERY_MS,
}: TaskProgressDeps): Watch<TaskRecord | null> {
  async function look(taskId: string): Promise<TaskRecord | null> {
    const task = await upstream.getTask(taskId, createAsker({ fresh: true }));
    return task && { ...task, progress: percent(task.progress), collectionRate: percent(task.collectionRate) };
  }

  return createSharedWatch<TaskRecord | null>({
    look,
    textOf,
    isLast: () => false,
    listen: (taskId, called) => followCalls(taskId, () => called({ isNews: true }), { events, log }),
    pollMs: everyMs,
    restMs: everyMs,
  });
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
