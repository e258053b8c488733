// Dials a task: within its periods, over its lines, with its retries, until every number is settled or time is up.
import type { Cancel, Scheduler } from "../clock.ts";
import { isOver, type Call, type Task, type TaskItem } from "../world/model.ts";
import { taskSummary } from "../world/fakeData.ts";
import { drawOutcome, percentages } from "./outcomes.ts";
import { createRandom } from "../random.ts";
import { taskCallSetup, type Telephone } from "./telephone.ts";
import { periodsOf } from "../timeText.ts";
import type { World } from "../world/world.ts";

export interface Dialler {
  /** Dials a pending or running task from now on. Give each task once. */
  start(task: Task): void;
  /** Looks again after a number was settled by other means; also ends a task that nothing dials. */
  wake(task: Task): void;
}

/** Calls one line carries at the same time. */
export const CALLS_PER_LINE = 2;

export function createDialler(deps: {
  world: World;
  telephone: Telephone;
  scheduler: Scheduler;
  now: () => number;
  session: () => string;
  timeZone: string;
  seed: number;
}): Dialler {
  const { world, telephone, scheduler, now } = deps;
  const pumps = new Map<Task, () => void>();

  const start = (task: Task) => {
    const periods = periodsOf(task.startDate, task.startTime, deps.timeZone);
    const queue = createDialQueue(task.items);
    const position = new Map(task.items.map((item, index) => [item, index]));
    const channels = task.lines.length * CALLS_PER_LINE;
    let going = 0;
    let sleep: Cancel = () => undefined;

    const pump = () => {
      sleep();
      if (isOver(task)) return;
      if (task.done >= task.total) return finish(task, "done");
      const instant = now();
      const period = periods.find((each) => instant < each.end);
      // Calls still going are waited for; the last of them comes back here.
      if (!period) return going === 0 ? finish(task, "stop.timeout") : undefined;
      if (instant < period.start) return void (sleep = scheduler.at(period.start, pump));
      if (task.status === "pending") touch(task, { status: "running" });
      for (let free = channels - going; free > 0 && dialNext(instant); free -= 1);
      const next = going < channels ? queue.nextDueAt() : null;
      sleep = scheduler.at(next === null ? period.end : Math.min(next, period.end), pump);
    };

    const dialNext = (instant: number): boolean => {
      const item = queue.next(instant);
      if (!item) return false;
      item.attempts += 1;
      going += 1;
      // Drawn for this attempt at this number alone: the order in which calls end changes nothing.
      const random = createRandom(deps.seed, task.name, position.get(item) ?? 0, item.number, item.attempts);
      const outcome = drawOutcome(random, "outbound");
      const dialled = taskCallSetup(task, item, going, deps.session());
      telephone.startCall(dialled, outcome, instant, (call) => {
        going -= 1;
        settle(item, call, outcome.collected);
        pump();
      });
      return true;
    };

    const settle = (item: TaskItem, call: Call, collected: boolean) => {
      if (item.done) return;
      if (call.answerAt !== null || item.attempts > task.retryCount) return settleItem(task, item, collected, now());
      queue.addRetry(item, (call.endAt ?? now()) + task.retryInterval * 1000);
      touch(task, {});
    };

    pumps.set(task, pump);
    pump();
  };

  const finish = (task: Task, status: "done" | "stop.timeout") => {
    const language = world.findVersion(task.assistantId, task.assistantVid)?.version.language ?? "zh";
    touch(task, { status, ...taskSummary(language, task.collectionRate), items: [] });
    pumps.delete(task);
  };

  const touch = (task: Task, change: Partial<Task>) => Object.assign(task, change, { updatedAt: now() });

  const wake = (task: Task) => {
    const pump = pumps.get(task);
    if (pump) pump();
    else if (!isOver(task) && task.done >= task.total) finish(task, "done");
  };

  return { start, wake };
}

/** Counts a number of a task as settled: it will not be dialled again. */
export function settleItem(task: Task, item: TaskItem, collected: boolean, now: number): void {
  item.done = true;
  task.done += 1;
  if (collected) task.collected += 1;
  Object.assign(task, percentages(task), { updatedAt: now });
}

export interface DialQueue {
  /** The next number to dial now; null when none is due. */
  next(now: number): TaskItem | null;
  /** Puts a number back, to be dialled from `due` on. */
  addRetry(item: TaskItem, due: number): void;
  /** When the next number is due (in the past when it could be dialled at once); null when none waits. */
  nextDueAt(): number | null;
}

/** Retries of a task all wait the same time, so they fall due about in the order they were put back: no heap is needed. */
export function createDialQueue(items: readonly TaskItem[]): DialQueue {
  const fresh = items.filter((item) => !item.done);
  let retries: { item: TaskItem; due: number }[] = [];
  let freshAt = 0;
  let retryAt = 0;
  const skipDone = () => {
    while (fresh[freshAt]?.done) freshAt += 1;
    while (retries[retryAt]?.item.done) retryAt += 1;
  };
  return {
    next: (now) => {
      skipDone();
      const retry = retries[retryAt];
      if (retry && retry.due <= now) {
        retryAt += 1;
        return retry.item;
      }
      return fresh[freshAt++] ?? null;
    },
    addRetry: (item, due) => {
      if (retryAt > 1000) {
        retries = retries.slice(retryAt);
        retryAt = 0;
      }
      retries.push({ item, due });
    },
    nextDueAt: () => {
      skipDone();
      return freshAt < fresh.length ? 0 : (retries[retryAt]?.due ?? null);
    },
  };
}
