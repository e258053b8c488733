// Tasks of which no call ends although they run, in their hours. A silence counts from the last call, and from when looks have seen the task to run
// without a break. Where something cannot be known, nothing is raised, and that is a doubt about the rule.
import type { Logger } from "../logger.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { createSemaphore } from "../util/semaphore.ts";
import type { AlertRule } from "./alertFile.ts";
import type { FindConditions, Finding } from "./conditions.ts";

/** Instants are epoch milliseconds. `begin`: of the task's hours. */
export type SeenTask =
  /** `isSure` false: nobody says whether the task calls on this day. A call in these hours shows it. */
  { kind: "running"; begin: number; isSure: boolean } | { kind: "notRunning" } | { kind: "unknown"; doubt: string };

export interface TaskRun {
  /** Since when looks have seen it to run, in its hours. Null: the last look saw that it does not. */
  since: number | null;
  seenAt: number;
}

export interface SilenceFacts {
  /** What looks of before have seen, on any gateway. Rejects where the database fails, as the next two do. */
  runs(taskIds: readonly string[]): Promise<ReadonlyMap<string, TaskRun>>;
  saveRuns(runs: ReadonlyMap<string, TaskRun>): Promise<void>;
  /** The newest ends since an instant, as the log has them. `unread`: when the newest delivery came that may be of any task. */
  lastEnds(
    taskIds: readonly string[],
    since: number,
  ): Promise<{ ends: ReadonlyMap<string, number>; unread: number | null }>;
  /** Asks the service. Rejects where it fails, as the next one does. */
  see(taskId: string, signal: AbortSignal): Promise<SeenTask>;
  /** Whether the service lists a call of the task since an instant. */
  listsCalls(taskId: string, since: number, signal: AbortSignal): Promise<boolean>;
}

type NoCallsRule = Extract<AlertRule, { kind: "noCalls" }>;
export const isNoCalls = (rule: AlertRule): rule is NoCallsRule => rule.kind === "noCalls";

/** Looks come each minute. After a longer gap the task may have been paused meanwhile, and the silence begins anew. */
export const MAX_GAP_MS = 5 * MINUTE_MS;
/** Requests to the service at the same time. */
const PARALLEL = 3;

/** The run as a look sees it at `at`. */
export function nextRun(before: TaskRun | undefined, seen: SeenTask, at: number): TaskRun | undefined {
  if (seen.kind === "unknown") return undefined;
  if (seen.kind === "notRunning") return { since: null, seenAt: at };
  const gap = before ? at - before.seenAt : Infinity;
  const isContinued = before && gap >= 0 && gap <= MAX_GAP_MS ? before.since : null;
  return { since: Math.max(isContinued ?? at, seen.begin), seenAt: at };
}

export interface NoCallsDeps {
  facts: SilenceFacts;
  clock: () => number;
  log: Logger;
}

/** `doubts`: why the last look could not tell. */
export function createNoCalls({ facts, clock, log }: NoCallsDeps): {
  find: FindConditions;
  doubts: (rule: AlertRule) => string[];
} {
  const doubts = new Map<string, string>();
  /** The silences of which the service listed no call, by rule and task, with their begins. */
  const confirmed = new Map<string, number>();

  function doubt(taskId: string, text: string): void {
    if (doubts.get(taskId) !== text) log.warn({ taskId }, `whether a task is silent cannot be told: ${text}`);
    doubts.set(taskId, text);
  }
  /** A task that cannot be seen is not known, and stops no other. */
  async function seeAll(taskIds: readonly string[], signal: AbortSignal) {
    const permits = createSemaphore(PARALLEL);
    async function see(taskId: string): Promise<readonly [string, SeenTask, number]> {
      try {
        signal.throwIfAborted();
        return [taskId, await facts.see(taskId, signal), clock()];
      } catch (err) {
        log.debug({ err, taskId }, "a task could not be read for alerts");
        return [taskId, { kind: "unknown", doubt: `Task ${taskId} could not be read from the service.` }, clock()];
      }
    }
    return Promise.all(taskIds.map((taskId) => permits.run(() => see(taskId))));
  }
  async function listsCalls(taskId: string, since: number, signal: AbortSignal): Promise<string | null> {
    try {
      const isListed = await facts.listsCalls(taskId, since, signal);
      return isListed ? `The service lists calls of task ${taskId} of which no webhook has told yet.` : null;
    } catch (err) {
      log.debug({ err, taskId }, "calls of a task could not be listed for alerts");
      return `The calls of task ${taskId} could not be listed.`;
    }
  }

  async function find(all: readonly AlertRule[], signal: AbortSignal): Promise<Finding[]> {
    const rules = all.filter(isNoCalls);
    const taskIds = [...new Set(rules.flatMap(({ tasks }) => tasks))];
    for (const taskId of doubts.keys()) if (!taskIds.includes(taskId)) doubts.delete(taskId);
    if (taskIds.length === 0) return [];
    const before = await facts.runs(taskIds);
    const seen = await seeAll(taskIds, signal);
    signal.throwIfAborted();
    const runs = new Map(
      seen.flatMap(([taskId, task, at]) => {
        const run = nextRun(before.get(taskId), task, at);
        return run ? [[taskId, run] as const] : [];
      }),
    );
    await facts.saveRuns(runs);
    // The last look may have come a gap ago, and a call that ended just before is the one from which the minutes count.
    const longestMs = Math.max(...rules.map(({ minutes }) => minutes)) * MINUTE_MS + 2 * MAX_GAP_MS;
    const begins = seen.flatMap(([, task]) => (task.kind === "running" && !task.isSure ? [task.begin] : []));
    const heard = await facts.lastEnds(taskIds, Math.min(clock() - longestMs, ...begins));
    const findings: Finding[] = [];
    for (const [taskId, task] of seen) {
      const end = heard.ends.get(taskId) ?? null;
      const since = runs.get(taskId)?.since ?? null;
      const known = { taskId, task, since, end, unread: heard.unread };
      findings.push(...(await findOf(known, rules, signal)));
    }
    return findings;
  }

  async function findOf(
    { taskId, task, since, end, unread }: Known,
    all: readonly NoCallsRule[],
    signal: AbortSignal,
  ): Promise<Finding[]> {
    const rules = all.filter(({ tasks }) => tasks.includes(taskId));
    const about = { subject: `task ${taskId}`, taskId };
    const now = clock();
    if (task.kind === "unknown") {
      doubt(taskId, task.doubt);
      return [];
    }
    if (task.kind === "notRunning" || since === null) {
      doubts.delete(taskId);
      return rules.map((rule) => ({ ...about, rule, condition: null, over: { at: now, ending: "NOT_RUNNING" } }));
    }
    if (!task.isSure && (end === null || end < task.begin)) {
      doubt(taskId, afterStartDate(taskId));
      return [];
    }
    const last = Math.max(since, end ?? 0);
    const findings: Finding[] = [];
    let why: string | null = null;
    for (const rule of rules) {
      const limitMs = rule.minutes * MINUTE_MS;
      const key = `${rule.name} ${taskId}`;
      if (now < last + limitMs) {
        confirmed.delete(key);
        // Where looks were missing for a while, an alert of these hours stays open.
        const over =
          end !== null && now < end + limitMs
            ? ({ at: end, ending: "RECOVERED" } as const)
            : ({ at: task.begin, ending: "NOT_RUNNING", isOfBefore: true } as const);
        findings.push({ ...about, rule, condition: null, over });
        continue;
      }
      if (confirmed.get(key) !== last) {
        const unclear =
          unread !== null && now < unread + limitMs
            ? "Deliveries of these minutes cannot be read, and may be of any task."
            : await listsCalls(taskId, now - limitMs, signal);
        if (unclear !== null) {
          why = unclear;
          continue;
        }
        confirmed.set(key, last);
      }
      const value = Math.floor((now - last) / MINUTE_MS);
      findings.push({
        ...about,
        rule,
        condition: { at: now, value, threshold: rule.minutes, detail: { unit: "MINUTES" } },
      });
    }
    if (why === null) doubts.delete(taskId);
    else doubt(taskId, why);
    return findings;
  }
  return {
    find,
    doubts: (rule) =>
      isNoCalls(rule) ? [...doubts].filter(([taskId]) => rule.tasks.includes(taskId)).map(([, text]) => text) : [],
  };
}

interface Known {
  taskId: string;
  task: SeenTask;
  since: number | null;
  end: number | null;
  unread: number | null;
}

const afterStartDate = (taskId: string): string =>
  `It is after the start date of task ${taskId}, and UPSTREAM_TASK_DAYS does not say whether it calls.`;
