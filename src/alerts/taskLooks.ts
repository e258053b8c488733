// Looks at the tasks that rules watch. The service is asked about each of them once, for all kinds of rules. Where something cannot be known, nothing is
// raised, and that is a doubt about the rule.
import type { Logger } from "../logger.ts";
import type { TaskNote } from "../store/alerts/taskLookStore.ts";
import { createSemaphore } from "../util/semaphore.ts";
import { watchesTasks } from "./alertFile.ts";
import type { FindConditions, Found } from "./conditions.ts";
import { createLookDoubts } from "./lookDoubts.ts";
import { createNoCalls, MAX_GAP_MS, type SilenceFacts } from "./noCalls.ts";
import { isPeopleLeft, judgePeople, peopleHeardSince, stopNoteOf } from "./peopleLeft.ts";
import { scopeOf, type RuleScope } from "./ruleScope.ts";
import { isNoCalls } from "./silentTasks.ts";
import type { HeardEnds, Judged, SeenTask, TaskLook } from "./taskLook.ts";
import { MAX_KNOWN, noteOf, unknownFor, watchedTasks, type ActiveTask } from "./watchedTasks.ts";

export interface TaskFacts extends SilenceFacts {
  /** The tasks that gateways know, the last active first. Rejects where the database fails, as the next ones do. */
  known(limit: number): Promise<readonly ActiveTask[]>;
  /** The assistants of tasks that were created through a gateway in that time, and of which no call has shown which they are. */
  assistantsOfUnknown(since: number, before: number): Promise<readonly string[]>;
  /** What looks of before have shown, on any gateway, by the IDs of tasks. */
  notes(): Promise<ReadonlyMap<string, TaskNote>>;
  /** In place of those before. */
  saveNotes(notes: ReadonlyMap<string, TaskNote>, at: number): Promise<void>;
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
  /** See NoCallsDeps. */
  listsMs?: number;
}

const LISTS_MS = 10_000;

/** Requests to the service at the same time. */
const PARALLEL = 3;
const NOTHING_HEARD: HeardEnds = { ends: new Map(), unread: null };
const SLOW =
  "The service answers so slowly that tasks are asked about less often than every five minutes: a silence of these cannot be told.";
const NOTHING: Found = { findings: [], covered: [] };

export function createTaskLooks({ facts, clock, log, listsMs = LISTS_MS }: TaskLooksDeps): { find: FindConditions } {
  const doubts = createLookDoubts({ save: (all) => facts.saveDoubts(all, clock()), log });
  const noCalls = createNoCalls({ facts, listsMs, clock, log });
  let isClear = false;
  /** The newest look at each task that is watched. */
  let last: ReadonlyMap<string, TaskLook> = new Map();
  /** When the last look had ended. */
  let endedAt = -Infinity;

  /** A task that cannot be seen is not known, and stops no other. */
  async function lookAt(taskId: string, before: TaskNote | undefined, signal: AbortSignal) {
    try {
      signal.throwIfAborted();
      const seen = await facts.see(taskId, signal);
      const { assistantId, isOver, changedAt } = seen;
      const at = clock();
      const stops = stopNoteOf(before, seen, at);
      const note = noteOf(before, { at, assistantId, over: isOver ? { changedAt } : null, stops });
      const stop = note.stop ?? null;
      return { look: { ...seen, assistantId: note.assistantId, taskId, at, isNow: true, stop }, note };
    } catch (err) {
      log.debug({ err, taskId }, "a task could not be read for alerts");
      const stops = stopNoteOf(before, null, clock());
      const note = noteOf(before, { at: clock(), assistantId: null, over: undefined, stops });
      return { look: unseen(taskId, note, `Task ${taskId} could not be read from the service.`, true), note };
    }
  }
  /** The last look at a task that waits for its turn. */
  function lookBefore(taskId: string, note: TaskNote | undefined): TaskLook {
    const found = last.get(taskId);
    if (found && clock() - found.at <= MAX_GAP_MS) return { ...found, isNow: false };
    return unseen(taskId, note, `The service has not been asked about task ${taskId} for some minutes.`, false);
  }

  /** Whether a task that the last look watched, too, has waited too long for its turn. */
  function isLate(at: number, lastLook: TaskLook | undefined, note: TaskNote | undefined): boolean {
    return lastLook !== undefined && note !== undefined && at - note.at > MAX_GAP_MS;
  }

  async function find(all: Parameters<FindConditions>[0], signal: AbortSignal): Promise<Found> {
    const rules = all.filter(watchesTasks);
    if (rules.length === 0) {
      // A rule of the same name may come again.
      if (!isClear) await doubts.note([]);
      isClear = true;
      return NOTHING;
    }
    isClear = false;
    const isWide = rules.some(({ tasks }) => tasks === undefined);
    const known = isWide ? await facts.known(MAX_KNOWN + 1) : [];
    const created = isWide ? await facts.assistantsOfUnknown(...unknownFor(clock())) : [];
    const before = await facts.notes();
    const begunAt = clock();
    const watched = watchedTasks(rules, { known, notes: before, now: begunAt });
    const permits = createSemaphore(PARALLEL);
    const ask = (taskId: string) => permits.run(() => lookAt(taskId, before.get(taskId), signal));
    const seen = await Promise.all(watched.asked.map(ask));
    signal.throwIfAborted();
    const isSlow =
      begunAt - endedAt <= MAX_GAP_MS &&
      seen.some(({ look: { taskId, at } }) => isLate(at, last.get(taskId), before.get(taskId)));
    const waiting = watched.waiting.map((taskId) => lookBefore(taskId, before.get(taskId)));
    const watchedNow = [...seen.map(({ look }) => look), ...waiting];
    last = new Map(watchedNow.map((look) => [look.taskId, look]));
    const others = [...watched.known].filter((taskId) => !last.has(taskId));
    const looks = [...watchedNow, ...others.map((taskId) => resting(taskId, before.get(taskId)))];
    const kept = [...before].filter(([taskId]) => watched.known.has(taskId));
    const notes = new Map([...kept, ...seen.map(({ look, note }) => [look.taskId, note] as const)]);
    await facts.saveNotes(notes, clock());

    const scopes = new Map(rules.map((rule) => [rule.name, scopeOf(rule, { watched, looks, notes, created })]));
    const looksOf = ({ name }: { name: string }) => scopes.get(name)?.looks ?? [];
    const silence = await noCalls.look(rules.filter(isNoCalls), looksOf);
    const begins = [...silence.since, ...looks.flatMap(peopleHeardSince)];
    const taskIds = looks.map(({ taskId }) => taskId);
    const heard = begins.length === 0 ? NOTHING_HEARD : await facts.lastEnds(taskIds, Math.min(...begins));
    const people = judgePeople(rules.filter(isPeopleLeft), looksOf, heard);
    const judged = Map.groupBy([...people, ...(await silence.judge(heard, signal))], ({ rule }) => rule.name);
    const ofRules = [...scopes].map(([rule, scope]) => judgedRule(rule, scope, judged.get(rule) ?? [], isSlow));
    await doubts.note(ofRules);
    const at = (endedAt = clock());
    const covered = [...scopes.values()].map(({ rule, subjects }) => ({ rule, subjects, at }));
    return { findings: [...judged.values()].flat().flatMap(({ findings }) => findings), covered };
  }
  return { find };
}

function judgedRule(name: string, scope: RuleScope, judged: readonly Judged[], isSlow: boolean) {
  const { rule, doubts, isDoubtful, isStill } = scope;
  const slow = isSlow && isNoCalls(rule) ? [SLOW] : [];
  const ofRule = { subject: "", doubts: [...doubts, ...slow] };
  return { rule: name, judged: [ofRule, ...judged.filter(({ subject }) => isDoubtful(subject))], isStill };
}

/** Its calls count where tasks are watched together: the last of them may be newer than those of the tasks that run. */
function resting(taskId: string, note: TaskNote | undefined): TaskLook {
  const shown = { run: { kind: "notRunning" }, people: { kind: "stopped" }, isOver: true, isNow: false } as const;
  const [at, assistantId] = [note?.at ?? 0, note?.assistantId ?? null];
  return { ...shown, taskId, at, assistantId, stop: null, restsSince: note?.overSince ?? null };
}

function unseen(taskId: string, note: TaskNote | undefined, doubt: string, isNow: boolean): TaskLook {
  const unknown = { kind: "unknown", doubt } as const;
  const [at, assistantId] = [note?.at ?? 0, note?.assistantId ?? null];
  return { run: unknown, people: unknown, taskId, at, assistantId, isOver: false, isNow, stop: null };
}
