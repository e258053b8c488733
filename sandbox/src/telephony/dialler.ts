// Dials the numbers of a task: within its periods, over its lines, with retries, until every number is settled or time is up.
import type { Cancel, Scheduler } from "../clock.ts";
import { isOver, type Call, type Task, type TaskItem } from "../world/model.ts";
import { taskSummary } from "../world/fakeData.ts";
import { drawOutcome, percentages } from "./outcomes.ts";
import { createRandom } from "../random.ts";
import { taskCallSetup, type Telephone } from "./telephone.ts";
import { periodsOf } from "../timeText.ts";
import type { World } from "../world/world.ts";

export interface Dialler {
  /** Starts to dial a pending or running task. Call it once for each task. */
  start(task: Task): void;
  /** Continues after a number was settled elsewhere. Also ends a task that is not being dialled. */
  wake(task: Task): void;
}

/** Simultaneous calls on one line. */
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
  /** Continues each task that is being dialled. */
  const continueTask = new Map<Task, () => void>();

  const start = (task: Task) => {
    const periods = periodsOf(task.startDate, task.startTime, deps.timeZone);
    const queue = createDialQueue(task.items);
    const position = new Map(task.items.map((item, index) => [item, index]));
    const channels = task.lines.length * CALLS_PER_LINE;
    let activeCalls = 0;
    let cancelTimer: Cancel = () => undefined;

    const dial = () => {
      cancelTimer();
      if (isOver(task)) return;
      if (task.done >= task.total) return finish(task, "done");
      const instant = now();
      const period = periods.find((each) => instant < each.end);
      // The end of the last active call runs this function again.
      if (!period) return activeCalls === 0 ? finish(task, "stop.timeout") : undefined;
      if (instant < period.start) return void (cancelTimer = scheduler.at(period.start, dial));
      if (task.status === "pending") update(task, { status: "running" });
      for (let free = channels - activeCalls; free > 0 && dialNext(instant); free -= 1);
      const next = activeCalls < channels ? queue.nextDueAt() : null;
      cancelTimer = scheduler.at(next === null ? period.end : Math.min(next, period.end), dial);
    };

    const dialNext = (instant: number): boolean => {
      const item = queue.next(instant);
      if (!item) return false;
      item.attempts += 1;
      activeCalls += 1;
      // Seeded by this attempt at this number, so that the order in which calls end changes nothing.
      const random = createRandom(deps.seed, task.name, position.get(item) ?? 0, item.number, item.attempts);
      const outcome = drawOutcome(random, "outbound");
      const dialled = taskCallSetup(task, item, activeCalls, deps.session());
      telephone.startCall(dialled, outcome, instant, (call) => {
        activeCalls -= 1;
        settleOrRetry(item, call, outcome.collected);
        dial();
      });
      return true;
    };

    const settleOrRetry = (item: TaskItem, call: Call, collected: boolean) => {
      if (item.done) return;
      if (call.answerAt !== null || item.attempts > task.retryCount) return settleItem(task, item, collected, now());
      queue.addRetry(item, (call.endAt ?? now()) + task.retryInterval * 1000);
      update(task, {});
    };

    continueTask.set(task, dial);
    dial();
  };

  const finish = (task: Task, status: "done" | "stop.timeout") => {
    const language = world.findVersion(task.assistantId, task.assistantVid)?.version.language ?? "zh";
    update(task, { status, ...taskSummary(language, task.collectionRate), items: [] });
    continueTask.delete(task);
  };

  const update = (task: Task, change: Partial<Task>) => Object.assign(task, change, { updatedAt: now() });

  const wake = (task: Task) => {
    const dial = continueTask.get(task);
    if (dial) dial();
    else if (!isOver(task) && task.done >= task.total) finish(task, "done");
  };

  return { start, wake };
}

/** Marks a number as settled, so that it is not dialled again, and updates the task's percentages. */
export function settleItem(task: Task, item: TaskItem, collected: boolean, now: number): void {
  item.done = true;
  task.done += 1;
  if (collected) task.collected += 1;
  Object.assign(task, percentages(task), { updatedAt: now });
}

/** The numbers of one task in the order to dial them: retries that are due first, then numbers not tried yet. */
export interface DialQueue {
  /** Removes and returns the next number to dial; null if none is due. */
  next(now: number): TaskItem | null;
  /** Adds a number again, to be dialled from `due` on. */
  addRetry(item: TaskItem, due: number): void;
  /** When the next number is due: 0 for a number not tried yet, null if none waits. */
  nextDueAt(): number | null;
}

/** All retries of a task wait equally long, so a list in the order of addition is enough. */
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
