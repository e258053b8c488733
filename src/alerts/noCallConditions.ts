// Tasks of which no call ends although they run, in their hours. The log says which tasks are silent; the service is asked whether such a task runs,
// and whether a call ended of which no webhook came. What is not known raises nothing, and is a doubt about the rule.
import type { Logger } from "../logger.ts";
import { MINUTE_MS } from "../util/durations.ts";
import type { AlertRule } from "./alertFile.ts";
import type { Conditions, Finding } from "./conditions.ts";

/** `since`: epoch milliseconds. */
export type Running =
  | { kind: "running"; since: number; isSure: boolean }
  | { kind: "notRunning"; isDone: boolean }
  | { kind: "unknown"; doubt: string };

/** Rejects where the database or the service fails. Instants are epoch milliseconds. */
export interface TaskFacts {
  /** The tasks that the gateway has seen last. */
  known(): Promise<string[]>;
  /** The newest end of a call that the log has, of calls that ended at an instant or later. */
  lastEnds(taskIds: readonly string[], since: number): Promise<ReadonlyMap<string, number>>;
  /** Whether the task runs and is in its hours, and since when. */
  running(taskId: string, signal: AbortSignal): Promise<Running>;
  /**
   * The newest end of the calls that the service lists, of those after an instant; one after `enough` will do. Null: there is none. "unknown": the
   * list is too long, or its pages do not add up.
   */
  newestEnd(taskId: string, after: number, enough: number, signal: AbortSignal): Promise<number | null | "unknown">;
}

type NoCallsRule = Extract<AlertRule, { kind: "noCalls" }>;
const isNoCalls = (rule: AlertRule): rule is NoCallsRule => rule.kind === "noCalls";

/** Tasks about which the service is asked in one look: the others come first in the next one. */
export const MAX_ASKED = 30;
/** How long a task is not asked about again. */
const RESTS = { running: MINUTE_MS, notRunning: 5 * MINUTE_MS, done: 30 * MINUTE_MS, failed: 2 * MINUTE_MS };

export interface NoCallsDeps {
  facts: TaskFacts;
  clock: () => number;
  log: Logger;
}

export function createNoCallConditions({ facts, clock, log }: NoCallsDeps): Conditions {
  const nextAt = new Map<string, number>();
  const doubts = new Map<string, string>();

  function doubt(taskId: string, text: string): void {
    if (doubts.get(taskId) !== text) log.warn({ taskId }, `a task is not watched for missing calls: ${text}`);
    doubts.set(taskId, text);
  }
  async function examine(taskId: string, rules: readonly NoCallsRule[], signal: AbortSignal): Promise<Finding[]> {
    const running = await facts.running(taskId, signal);
    const now = clock();
    const ofTask = (rule: NoCallsRule) => ({ rule, subject: `task ${taskId}`, taskId });
    if (running.kind === "unknown") {
      nextAt.set(taskId, now + RESTS.notRunning);
      doubt(taskId, running.doubt);
      return [];
    }
    if (running.kind === "notRunning") {
      nextAt.set(taskId, now + (running.isDone ? RESTS.done : RESTS.notRunning));
      doubts.delete(taskId);
      const over = { at: now, ending: "NOT_RUNNING" } as const;
      return rules.map((rule) => ({ ...ofTask(rule), condition: null, over }));
    }
    nextAt.set(taskId, now + RESTS.running);
    const { since, isSure } = running;
    const heard = (await facts.lastEnds([taskId], since)).get(taskId) ?? null;
    if (!isSure && heard === null) {
      doubt(
        taskId,
        `It is after the start date of task ${taskId}, and UPSTREAM_TASK_DAYS does not say whether it calls.`,
      );
      return [];
    }
    const base = Math.max(since, heard ?? 0);
    const dueAt = (rule: NoCallsRule, from: number) => from + rule.minutes * MINUTE_MS;
    const silent = rules.filter((rule) => dueAt(rule, base) <= now);
    const shortest = Math.min(...silent.map(({ minutes }) => minutes));
    const listed = silent.length > 0 && (await facts.newestEnd(taskId, base, now - shortest * MINUTE_MS, signal));
    if (listed === "unknown") {
      doubt(taskId, `The calls of task ${taskId} that the service lists cannot be read to their end.`);
      return [];
    }
    doubts.delete(taskId);
    const last = typeof listed === "number" ? Math.max(listed, base) : base;
    const over = last === since ? { at: since, ending: "NOT_RUNNING" } : { at: last, ending: "RECOVERED" };
    return rules.map((rule) => {
      const [at, { minutes }] = [dueAt(rule, last), rule];
      const words = { value: minutes, threshold: minutes, detail: { unit: "MINUTES" }, isOngoing: true };
      return at <= now
        ? { ...ofTask(rule), condition: { at, ...words } }
        : { ...ofTask(rule), condition: null, over: over as Finding["over"] };
    });
  }

  async function find(all: readonly AlertRule[], signal: AbortSignal): Promise<Finding[]> {
    const rules = all.filter(isNoCalls);
    if (rules.length === 0) {
      doubts.clear();
      return [];
    }
    const known = rules.some(({ tasks }) => tasks === undefined) ? await facts.known() : [];
    const taskIds = [...new Set([...rules.flatMap(({ tasks = [] }) => tasks), ...known])];
    const now = clock();
    const longest = Math.max(...rules.map(({ minutes }) => minutes));
    const heard = await facts.lastEnds(taskIds, now - longest * MINUTE_MS);
    const findings: Finding[] = [];
    const due: { taskId: string; rules: NoCallsRule[] }[] = [];
    for (const taskId of taskIds) {
      const own = rules.filter(({ tasks }) => tasks?.includes(taskId) ?? true);
      const end = heard.get(taskId);
      const isQuiet = (rule: NoCallsRule) => end === undefined || end <= now - rule.minutes * MINUTE_MS;
      if (end !== undefined)
        for (const rule of own.filter((each) => !isQuiet(each))) {
          const over = { at: end, ending: "RECOVERED" } as const;
          findings.push({ rule, subject: `task ${taskId}`, taskId, condition: null, over });
        }
      const quiet = own.filter(isQuiet);
      if (quiet.length === 0) doubts.delete(taskId);
      if (quiet.length > 0 && (nextAt.get(taskId) ?? 0) <= now) due.push({ taskId, rules: quiet });
    }
    due.sort((a, b) => (nextAt.get(a.taskId) ?? 0) - (nextAt.get(b.taskId) ?? 0));
    for (const { taskId, rules: own } of due.slice(0, MAX_ASKED)) {
      if (signal.aborted) return [];
      try {
        findings.push(...(await examine(taskId, own, signal)));
      } catch (err) {
        if (signal.aborted) return [];
        nextAt.set(taskId, now + RESTS.failed);
        log.warn({ err, taskId }, "whether calls of a task are missing could not be found out; it is tried again");
      }
    }
    for (const taskId of [...nextAt.keys(), ...doubts.keys()])
      if (!taskIds.includes(taskId)) for (const map of [nextAt, doubts]) map.delete(taskId);
    return findings;
  }

  return {
    find,
    doubts: (rule) =>
      isNoCalls(rule)
        ? [...doubts].filter(([taskId]) => rule.tasks?.includes(taskId) ?? true).map(([, text]) => text)
        : [],
  };
}
