// Whether the service lists calls of silent tasks. A look asks once for all rules: several tasks with one list, and each on its own where that list has calls.
import type { Logger } from "../logger.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { createSemaphore } from "../util/semaphore.ts";

/** A silence of tasks. */
export interface Unheard {
  taskIds: readonly string[];
  minutes: number;
}

export interface ListedCallsDeps {
  /** Whether the service lists a call of one of the tasks since an instant, in epoch milliseconds. Rejects where it fails. */
  listsCalls(taskIds: readonly string[], since: number, signal: AbortSignal): Promise<boolean>;
  /** Milliseconds that a look waits for lists: what they hold up is the next look at all tasks. */
  listsMs: number;
  clock: () => number;
  log: Logger;
}

/** So long an answer counts. */
export const ANSWER_MS = 5 * MINUTE_MS;
/** Lists that a look asks for. */
const MAX_LISTS = 50;
/** The service takes no more. */
const TASKS_EACH = 10;
/** Lists that are asked for at the same time. */
const PARALLEL = 3;

/** Why a task is not known to be silent. */
type Unclear = "listed" | "unread" | "left";

/** Why each silence is not sure, in a sentence. Null: the service lists no call of its tasks. */
export type UnclearOf = (silences: readonly Unheard[], signal: AbortSignal) => Promise<(string | null)[]>;

export function createListedCalls({ listsCalls, listsMs, clock, log }: ListedCallsDeps): UnclearOf {
  /** When the service listed calls of a task. */
  const listedAt = new Map<string, number>();
  const permits = createSemaphore(PARALLEL);

  return async function unclearOf(silences, signal) {
    const now = clock();
    for (const [taskId, at] of listedAt) if (Math.abs(now - at) >= ANSWER_MS) listedAt.delete(taskId);
    const unclear = new Map<string, Unclear>([...listedAt.keys()].map((taskId) => [taskId, "listed"]));
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(listsMs)]);
    let left = MAX_LISTS;
    async function ask(taskIds: readonly string[], minutes: number): Promise<Unclear | null> {
      if (left === 0) return "left";
      left -= 1;
      try {
        inTime.throwIfAborted();
        return (await listsCalls(taskIds, now - minutes * MINUTE_MS, inTime)) ? "listed" : null;
      } catch (err) {
        log.debug({ err, taskIds }, "calls of tasks could not be listed for alerts");
        return "unread";
      }
    }
    async function askAbout(taskIds: readonly string[], minutes: number): Promise<void> {
      const found = await permits.run(() => ask(taskIds, minutes));
      if (found === null) return;
      if (taskIds.length > 1 && found !== "left") {
        await Promise.all(taskIds.map((taskId) => askAbout([taskId], minutes)));
        return;
      }
      for (const taskId of taskIds) unclear.set(taskId, found);
      if (found === "listed") for (const taskId of taskIds) listedAt.set(taskId, now);
    }
    // The longest silence of a task asks for the others of it.
    const minutesOf = new Map<string, number>();
    for (const { taskIds, minutes } of silences)
      for (const taskId of taskIds)
        if (!unclear.has(taskId)) minutesOf.set(taskId, Math.max(minutes, minutesOf.get(taskId) ?? 0));
    const groups = Map.groupBy(minutesOf.keys(), (taskId) => minutesOf.get(taskId) ?? 0);
    const lists = [...groups].flatMap(([minutes, taskIds]) =>
      Array.from({ length: Math.ceil(taskIds.length / TASKS_EACH) }, (_, each) =>
        askAbout(taskIds.slice(each * TASKS_EACH, (each + 1) * TASKS_EACH), minutes),
      ),
    );
    await Promise.all(lists);
    return silences.map(({ taskIds }) => textOf(taskIds, unclear));
  };
}

function textOf(taskIds: readonly string[], unclear: ReadonlyMap<string, Unclear>): string | null {
  for (const kind of ["listed", "unread", "left"] as const) {
    const own = taskIds.filter((taskId) => unclear.get(taskId) === kind);
    const named = `${own.length === 1 ? "task" : "tasks"} ${own.join(", ")}`;
    if (own.length === 0) continue;
    if (kind === "listed") return `The service lists calls of ${named} of which no webhook has told yet.`;
    if (kind === "unread") return `The calls of ${named} could not be listed.`;
    return `The calls of ${named} have not been listed yet: the service is asked for ${MAX_LISTS} lists a minute.`;
  }
  return null;
}
