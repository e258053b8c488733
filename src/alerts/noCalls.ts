// Tasks of which no call ends although they run, in their hours. A silence counts from the last call, and from when looks have seen the task to run
// without a break.
import type { Logger } from "../logger.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { createSemaphore } from "../util/semaphore.ts";
import type { AlertRule } from "./alertFile.ts";
import { afterStartDate, type HeardEnds, type Judged, type TaskLook } from "./taskLook.ts";

/** Instants are epoch milliseconds. */
export interface TaskRun {
  /** Since when looks have seen it to run, in its hours. Null: the last look saw that it does not. */
  since: number | null;
  seenAt: number;
}

export interface SilenceFacts {
  /** What looks of before have seen, on any gateway. Rejects where the database fails, as the next one does. */
  runs(taskIds: readonly string[]): Promise<ReadonlyMap<string, TaskRun>>;
  saveRuns(runs: ReadonlyMap<string, TaskRun>): Promise<void>;
  /** Whether the service lists a call of the task since an instant. Rejects where it fails. */
  listsCalls(taskId: string, since: number, signal: AbortSignal): Promise<boolean>;
}

type NoCallsRule = Extract<AlertRule, { kind: "noCalls" }>;
export const isNoCalls = (rule: AlertRule): rule is NoCallsRule => rule.kind === "noCalls";

/** Looks come each minute. After a longer gap the task may have been paused meanwhile, and the silence begins anew. */
export const MAX_GAP_MS = 5 * MINUTE_MS;
/** Lists that are asked for at the same time. */
const PARALLEL = 3;

/** The run as a look sees it at `at`. */
export function nextRun(before: TaskRun | undefined, { run, at }: TaskLook): TaskRun | undefined {
  if (run.kind === "unknown") return undefined;
  if (run.kind === "notRunning") return { since: null, seenAt: at };
  const gap = before ? at - before.seenAt : Infinity;
  const isContinued = before && gap >= 0 && gap <= MAX_GAP_MS ? before.since : null;
  return { since: Math.max(isContinued ?? at, run.begin), seenAt: at };
}

/** The instants from which the ends of calls are needed. */
export function heardSince(rules: readonly NoCallsRule[], looks: readonly TaskLook[], now: number): number[] {
  if (rules.length === 0) return [];
  // The last look may have come a gap ago, and a call that ended just before is the one from which the minutes count.
  const longestMs = Math.max(...rules.map(({ minutes }) => minutes)) * MINUTE_MS + 2 * MAX_GAP_MS;
  const begins = looks.flatMap(({ run }) => (run.kind === "running" && !run.isSure ? [run.begin] : []));
  return [now - longestMs, ...begins];
}

export interface NoCallsDeps {
  facts: SilenceFacts;
  clock: () => number;
  log: Logger;
}

interface Known extends TaskLook {
  since: number | null;
  /** When the newest call ended. */
  end: number | null;
  unread: number | null;
}

export function createNoCalls({ facts, clock, log }: NoCallsDeps) {
  /** The silences of which the service listed no call, by rule and task, with their begins. */
  const confirmed = new Map<string, number>();

  async function listsCalls(taskId: string, since: number, signal: AbortSignal): Promise<string | null> {
    try {
      const isListed = await facts.listsCalls(taskId, since, signal);
      return isListed ? `The service lists calls of task ${taskId} of which no webhook has told yet.` : null;
    } catch (err) {
      log.debug({ err, taskId }, "calls of a task could not be listed for alerts");
      return `The calls of task ${taskId} could not be listed.`;
    }
  }

  /** Rejects where the database fails. */
  async function judge(
    rules: readonly NoCallsRule[],
    looks: readonly TaskLook[],
    heard: HeardEnds,
    signal: AbortSignal,
  ): Promise<(Judged & { rule: NoCallsRule })[]> {
    const taskIds = [...new Set(rules.flatMap(({ tasks }) => tasks))];
    if (taskIds.length === 0) return [];
    const own = looks.filter(({ taskId }) => taskIds.includes(taskId));
    const before = await facts.runs(taskIds);
    const runs = new Map(
      own.flatMap((look) => {
        const run = nextRun(before.get(look.taskId), look);
        return run ? [[look.taskId, run] as const] : [];
      }),
    );
    await facts.saveRuns(runs);
    const permits = createSemaphore(PARALLEL);
    const judged = own.flatMap((look) => {
      const end = heard.ends.get(look.taskId) ?? null;
      const known = { ...look, since: runs.get(look.taskId)?.since ?? null, end, unread: heard.unread };
      const ofTask = rules.filter(({ tasks }) => tasks.includes(look.taskId));
      return ofTask.map((rule) => permits.run(async () => ({ rule, ...(await judgeTask(rule, known, signal)) })));
    });
    return Promise.all(judged);
  }

  async function judgeTask(
    rule: NoCallsRule,
    { taskId, run, since, end, unread }: Known,
    signal: AbortSignal,
  ): Promise<Judged> {
    const about = { rule, subject: `task ${taskId}`, taskId };
    const now = clock();
    if (run.kind === "unknown") return { findings: [], doubts: [run.doubt] };
    if (run.kind === "notRunning" || since === null)
      return { findings: [{ ...about, condition: null, over: { at: now, ending: "NOT_RUNNING" } }], doubts: [] };
    if (!run.isSure && (end === null || end < run.begin)) return { findings: [], doubts: [afterStartDate(taskId)] };
    const last = Math.max(since, end ?? 0);
    const limitMs = rule.minutes * MINUTE_MS;
    const key = `${rule.name} ${taskId}`;
    if (now < last + limitMs) {
      confirmed.delete(key);
      // Where looks were missing for a while, an alert of these hours stays open.
      const over =
        end !== null && now < end + limitMs
          ? ({ at: end, ending: "RECOVERED" } as const)
          : ({ at: run.begin, ending: "NOT_RUNNING", isOfBefore: true } as const);
      return { findings: [{ ...about, condition: null, over }], doubts: [] };
    }
    if (confirmed.get(key) !== last) {
      const unclear =
        unread !== null && now < unread + limitMs
          ? "Deliveries of these minutes cannot be read, and may be of any task."
          : await listsCalls(taskId, now - limitMs, signal);
      if (unclear !== null) return { findings: [], doubts: [unclear] };
      confirmed.set(key, last);
    }
    const value = Math.floor((now - last) / MINUTE_MS);
    const condition = { at: now, value, threshold: rule.minutes, detail: { unit: "MINUTES" } };
    return { findings: [{ ...about, condition }], doubts: [] };
  }
  return { judge };
}
