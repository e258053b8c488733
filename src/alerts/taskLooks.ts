// Looks at the tasks that rules watch. The service is asked about each of them once, for all kinds of rules. Where something cannot be known, nothing is
// raised, and that is a doubt about the rule.
import type { Logger } from "../logger.ts";
import type { TaskNote } from "../store/alerts/taskLookStore.ts";
import { createSemaphore } from "../util/semaphore.ts";
import { watchesTasks } from "./alertFile.ts";
import type { FindConditions, Found } from "./conditions.ts";
import { createLookDoubts, type JudgedRule } from "./lookDoubts.ts";
import { createNoCalls, MAX_GAP_MS, type SilenceFacts } from "./noCalls.ts";
import { isPeopleLeft, judgePeople, peopleHeardSince, stopNoteOf } from "./peopleLeft.ts";
import { scopeOf, type RuleScope } from "./ruleScope.ts";
import { isNoCalls } from "./silentTasks.ts";
import { isResting, type HeardEnds, type Judged, type SeenTask, type TaskLook } from "./taskLook.ts";
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
/** What is known of a task before a look. */
type Known = Pick<TaskLook, "taskId" | "note" | "isSeldom" | "activeAt">;
const NOTHING: Found = { findings: [], covered: [] };

export function createTaskLooks({ facts, clock, log, listsMs = LISTS_MS }: TaskLooksDeps): { find: FindConditions } {
  const doubts = createLookDoubts({ save: (all) => facts.saveDoubts(all, clock()), log });
  const noCalls = createNoCalls({ facts, listsMs, clock, log });
  let isClear = false;
  /** The newest look at each task that is watched. */
  let last: ReadonlyMap<string, TaskLook> = new Map();
  /** When the last look had ended. */
  let endedAt = -Infinity;

  /** A task that cannot be seen is not known, and stops no other. Null: the service has not told of it. */
  async function see(taskId: string, signal: AbortSignal): Promise<SeenTask | null> {
    try {
      signal.throwIfAborted();
      return await facts.see(taskId, signal);
    } catch (err) {
      log.debug({ err, taskId }, "a task could not be read for alerts");
      return null;
    }
  }
  async function lookAt(known: Known, signal: AbortSignal): Promise<TaskLook> {
    const { taskId, note: before } = known;
    const seen = await see(taskId, signal);
    const at = clock();
    const over = seen && (seen.isOver ? { changedAt: seen.changedAt } : null);
    const stops = stopNoteOf(before, seen, at);
    const shown = { at, assistantId: seen?.assistantId ?? null, over: seen ? over : undefined, stops };
    const look = { ...known, note: noteOf(before, shown), isNow: true };
    if (seen) return { ...look, run: seen.run, people: seen.people };
    return { ...look, ...unknown(`Task ${taskId} could not be read from the service.`) };
  }
  /** One that is not asked about now is as the last look had it, where it waits for its turn. */
  function lookBefore(known: Known): TaskLook {
    const look = { ...known, isNow: false };
    if (known.isSeldom) return { ...look, ...RESTING };
    const found = last.get(known.taskId);
    if (found && clock() - found.note.at <= MAX_GAP_MS) return { ...found, ...look };
    return { ...look, ...unknown(`The service has not been asked about task ${known.taskId} for some minutes.`) };
  }
  /** Whether a task that the last look watched, too, has waited too long for its turn. */
  const isLate = ({ taskId, note }: TaskLook, before: TaskNote | undefined): boolean =>
    last.has(taskId) && before !== undefined && note.at - before.at > MAX_GAP_MS;

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
    const activeAt = new Map(known.map((task) => [task.taskId, task.activeAt]));
    const knownOf = (taskId: string): Known => ({
      taskId,
      note: before.get(taskId) ?? NO_NOTE,
      isSeldom: watched.seldom.has(taskId),
      activeAt: activeAt.get(taskId) ?? 0,
    });
    const ask = (taskId: string) => permits.run(() => lookAt(knownOf(taskId), signal));
    const seen = await Promise.all(watched.asked.map(ask));
    signal.throwIfAborted();
    const isSlow = begunAt - endedAt <= MAX_GAP_MS && seen.some((look) => isLate(look, before.get(look.taskId)));
    const asked = new Set(watched.asked);
    const others = [...watched.known].filter((taskId) => !asked.has(taskId));
    const looks = [...seen, ...others.map((taskId) => lookBefore(knownOf(taskId)))];
    last = new Map(looks.filter((look) => !isResting(look)).map((look) => [look.taskId, look]));
    const kept = [...before].filter(([taskId]) => watched.known.has(taskId));
    const notes = new Map([...kept, ...seen.map(({ taskId, note }) => [taskId, note] as const)]);
    await facts.saveNotes(notes, clock());

    const scopes = new Map(rules.map((rule) => [rule.name, scopeOf(rule, { watched, looks, created })]));
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

function judgedRule(name: string, scope: RuleScope, judged: readonly Judged[], isSlow: boolean): JudgedRule {
  const { rule, doubts, doubtful } = scope;
  const slow = isSlow && isNoCalls(rule) ? [SLOW] : [];
  const ofRule = { subject: "", doubts: [...doubts, ...slow] };
  const isDoubtful = (subject: string) => doubtful.has(subject);
  return { rule: name, judged: [ofRule, ...judged.filter(({ subject }) => isDoubtful(subject))], isStill: isDoubtful };
}

const NO_NOTE: TaskNote = { at: 0, overSince: null, assistantId: null };
/** Its calls count where tasks are watched together: the last of them may be newer than those of the tasks that run. */
const RESTING = { run: { kind: "notRunning" }, people: { kind: "stopped" } } as const;

function unknown(doubt: string): Pick<TaskLook, "run" | "people"> {
  const shown = { kind: "unknown", doubt } as const;
  return { run: shown, people: shown };
}
