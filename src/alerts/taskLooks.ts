// Looks at the tasks that rules name. The service is asked about each of them once, for all kinds of rules. Where something cannot be known, nothing is
// raised, and that is a doubt about the rule.
import type { Logger } from "../logger.ts";
import { createSemaphore } from "../util/semaphore.ts";
import type { AlertRule } from "./alertFile.ts";
import type { FindConditions, Finding } from "./conditions.ts";
import { createNoCalls, type SilenceFacts } from "./noCalls.ts";
import { isPeopleLeft, judgePeople, peopleHeardSince } from "./peopleLeft.ts";
import { isNoCalls } from "./silentTasks.ts";
import type { HeardEnds, Judged, SeenTask, TaskLook } from "./taskLook.ts";

export interface TaskFacts extends SilenceFacts {
  /** Asks the service. Rejects where it fails. */
  see(taskId: string, signal: AbortSignal): Promise<SeenTask>;
  /** The newest ends since an instant, as the log has them. Rejects where the database fails. */
  lastEnds(taskIds: readonly string[], since: number): Promise<HeardEnds>;
  /** Keeps the doubts of a look for all gateways, by the names of rules. Rejects where the database fails. */
  saveDoubts(doubts: ReadonlyMap<string, readonly string[]>, at: number): Promise<void>;
}

export interface TaskLooksDeps {
  facts: TaskFacts;
  clock: () => number;
  log: Logger;
}

/** Whether a rule is about tasks that are looked at. */
export const watchesTasks = (rule: AlertRule): boolean => isNoCalls(rule) || isPeopleLeft(rule);

/** Requests to the service at the same time. */
const PARALLEL = 3;
const NOTHING_HEARD: HeardEnds = { ends: new Map(), unread: null };

export function createTaskLooks({ facts, clock, log }: TaskLooksDeps): { find: FindConditions } {
  /** Those of the last look, by the rule's name. */
  let doubts: ReadonlyMap<string, readonly string[]> = new Map();
  let isClear = false;
  const noCalls = createNoCalls({ facts, clock, log });

  /** A task that cannot be seen is not known, and stops no other. */
  async function lookAt(taskId: string, signal: AbortSignal): Promise<TaskLook> {
    try {
      signal.throwIfAborted();
      const seen = await facts.see(taskId, signal);
      return { ...seen, taskId, at: clock() };
    } catch (err) {
      log.debug({ err, taskId }, "a task could not be read for alerts");
      const unknown = { kind: "unknown", doubt: `Task ${taskId} could not be read from the service.` } as const;
      return { run: unknown, people: unknown, taskId, at: clock() };
    }
  }
  async function note(judged: readonly (Judged & { rule: AlertRule })[]): Promise<void> {
    const found = Map.groupBy(judged, ({ rule }) => rule.name);
    const texts = new Map([...found].map(([rule, own]) => [rule, own.flatMap((each) => each.doubts)]));
    for (const [rule, own] of texts)
      for (const text of own)
        if (!doubts.get(rule)?.includes(text)) log.warn({ rule }, `what a rule watches cannot be told: ${text}`);
    doubts = texts;
    await facts.saveDoubts(texts, clock());
  }

  async function find(all: readonly AlertRule[], signal: AbortSignal): Promise<Finding[]> {
    const [silent, left] = [all.filter(isNoCalls), all.filter(isPeopleLeft)];
    const taskIds = [...new Set([...silent, ...left].flatMap(({ tasks }) => tasks))];
    if (taskIds.length === 0) {
      // A rule of the same name may come again.
      if (!isClear) await note([]);
      isClear = true;
      return [];
    }
    isClear = false;
    const permits = createSemaphore(PARALLEL);
    const looks = await Promise.all(taskIds.map((taskId) => permits.run(() => lookAt(taskId, signal))));
    signal.throwIfAborted();
    const silence = await noCalls.look(silent, looks);
    const begins = [...silence.since, ...looks.flatMap(peopleHeardSince)];
    const heard = begins.length === 0 ? NOTHING_HEARD : await facts.lastEnds(taskIds, Math.min(...begins));
    const judged = [...judgePeople(left, looks, heard), ...(await silence.judge(heard, signal))];
    await note(judged);
    return judged.flatMap(({ findings }) => findings);
  }
  return { find };
}
