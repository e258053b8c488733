// Whether the service lists calls of silent tasks. A look asks once for all rules: several tasks with one list, and each on its own where that list has calls.
import type { Logger } from "../logger.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { createSemaphore } from "../util/semaphore.ts";

/** A silence of tasks, of so many minutes at least. */
export interface Unheard {
  taskIds: readonly string[];
  minutes: number;
  /** Epoch milliseconds. */
  begin: number;
}

/** What the service has listed of a task. */
interface Answer {
  at: number;
  minutes: number;
  isListed: boolean;
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
const ANSWER_MS = 5 * MINUTE_MS;
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
  /** The answers that count. */
  const answers = new Map<string, Answer>();
  const permits = createSemaphore(PARALLEL);

  return async function unclearOf(silences, signal) {
    const now = clock();
    for (const [taskId, { at }] of answers) if (Math.abs(now - at) >= ANSWER_MS) answers.delete(taskId);
    const failed = new Map<string, "unread" | "left">();
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(listsMs)]);
    let left = MAX_LISTS;
    async function ask(taskIds: readonly string[], minutes: number): Promise<boolean | "unread" | "left"> {
      if (left === 0) return "left";
      left -= 1;
      try {
        inTime.throwIfAborted();
        return await listsCalls(taskIds, now - minutes * MINUTE_MS, inTime);
      } catch (err) {
        log.debug({ err, taskIds }, "calls of tasks could not be listed for alerts");
        return "unread";
      }
    }
    async function askAbout(taskIds: readonly string[], minutes: number): Promise<void> {
      const found = await permits.run(() => ask(taskIds, minutes));
      if (taskIds.length > 1 && (found === true || found === "unread")) {
        await Promise.all(taskIds.map((taskId) => askAbout([taskId], minutes)));
        return;
      }
      for (const taskId of taskIds)
        if (typeof found === "string") failed.set(taskId, found);
        else answers.set(taskId, { at: now, minutes, isListed: found });
    }
    /** A task without calls is asked about again where it has called since, or for a longer silence. */
    function isAnswered(taskId: string, { minutes, begin }: Unheard): boolean {
      const answer = answers.get(taskId);
      if (!answer || answer.isListed) return answer !== undefined;
      return minutes <= answer.minutes && begin + minutes * MINUTE_MS <= answer.at;
    }
    // The longest silence of a task asks for the others of it.
    const minutesOf = new Map<string, number>();
    for (const silence of silences)
      for (const taskId of silence.taskIds)
        if (!isAnswered(taskId, silence)) minutesOf.set(taskId, Math.max(silence.minutes, minutesOf.get(taskId) ?? 0));
    const groups = Map.groupBy(minutesOf.keys(), (taskId) => minutesOf.get(taskId) ?? 0);
    const lists = [...groups].flatMap(([minutes, taskIds]) =>
      Array.from({ length: Math.ceil(taskIds.length / TASKS_EACH) }, (_, each) =>
        askAbout(taskIds.slice(each * TASKS_EACH, (each + 1) * TASKS_EACH), minutes),
      ),
    );
    await Promise.all(lists);
    const whyOf = (taskId: string) => failed.get(taskId) ?? (answers.get(taskId)?.isListed ? "listed" : null);
    return silences.map(({ taskIds }) => textOf(Map.groupBy(taskIds, whyOf)));
  };
}

function textOf(byWhy: ReadonlyMap<Unclear | null, readonly string[]>): string | null {
  for (const kind of ["listed", "unread", "left"] as const) {
    const own = byWhy.get(kind);
    if (!own) continue;
    const named = `${own.length === 1 ? "task" : "tasks"} ${own.join(", ")}`;
    if (kind === "listed") return `The service lists calls of ${named} of which no webhook has told yet.`;
    if (kind === "unread") return `The calls of ${named} could not be listed.`;
    return `The calls of ${named} have not been listed yet: the service is asked for ${MAX_LISTS} lists a minute.`;
  }
  return null;
}
