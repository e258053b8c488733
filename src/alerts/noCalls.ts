// Tasks of which no call ends although they run, in their hours: each on its own, or several together. A silence counts from the last call, and from
// when looks have seen the task to run without a break.
import type { Logger } from "../logger.ts";
import { DAY_MS, MINUTE_MS } from "../util/durations.ts";
import { createSemaphore } from "../util/semaphore.ts";
import type { Finding } from "./conditions.ts";
import { watchedBy, type NoCallsRule, type Watched } from "./silentTasks.ts";
import { type HeardEnds, type Judged, type LooksOf, type TaskLook, unsureDay } from "./taskLook.ts";

/** Instants are epoch milliseconds. */
export interface TaskRun {
  /** Since when looks have seen it to run, in its hours. Null: the last look saw that it does not. */
  since: number | null;
  seenAt: number;
}

export interface SilenceFacts {
  /** What looks of before have seen, on any gateway, by the names of runs. Rejects where the database fails, as the next one does. */
  runs(names: readonly string[]): Promise<ReadonlyMap<string, TaskRun>>;
  saveRuns(runs: ReadonlyMap<string, TaskRun>): Promise<void>;
  /** Whether the service lists a call of one of the tasks since an instant. Rejects where it fails. */
  listsCalls(taskIds: readonly string[], since: number, signal: AbortSignal): Promise<boolean>;
}

/** Looks come each minute. After a longer gap the task may have been paused meanwhile, and the silence begins anew. */
export const MAX_GAP_MS = 5 * MINUTE_MS;
/** Lists that are asked for at the same time. */
const PARALLEL = 3;

/** The run as a look sees it at `at`. */
export function nextRun(before: TaskRun | undefined, { run, at }: Pick<TaskLook, "run" | "at">): TaskRun | undefined {
  if (run.kind === "unknown") return undefined;
  if (run.kind === "notRunning") return { since: null, seenAt: at };
  const gap = before ? at - before.seenAt : Infinity;
  const isContinued = before && gap >= 0 && gap <= MAX_GAP_MS ? before.since : null;
  return { since: Math.max(isContinued ?? at, run.begin), seenAt: at };
}

export interface NoCallsDeps {
  facts: SilenceFacts;
  /** Milliseconds that a look waits for lists of the service: what they hold up is the next look at all tasks. */
  listsMs: number;
  clock: () => number;
  log: Logger;
}

/** A look at the tasks of rules. */
export interface SilenceLook {
  /** The instants from which the ends of calls are needed. */
  since: number[];
  /** Rejects where the database fails. */
  judge(heard: HeardEnds, signal: AbortSignal): Promise<(Judged & { rule: NoCallsRule })[]>;
}

export function createNoCalls({ facts, listsMs, clock, log }: NoCallsDeps) {
  /** The silences of which the service listed no call, by rule and subject, with their begins. */
  const confirmed = new Map<string, number>();

  async function listsCalls(taskIds: readonly string[], since: number, signal: AbortSignal): Promise<string | null> {
    const named = `${taskIds.length === 1 ? "task" : "tasks"} ${taskIds.join(", ")}`;
    try {
      signal.throwIfAborted();
      const isListed = await facts.listsCalls(taskIds, since, signal);
      return isListed ? `The service lists calls of ${named} of which no webhook has told yet.` : null;
    } catch (err) {
      log.debug({ err, taskIds }, "calls of tasks could not be listed for alerts");
      return `The calls of ${named} could not be listed.`;
    }
  }

  /** Rejects where the database fails. */
  async function look(rules: readonly NoCallsRule[], looksOf: LooksOf): Promise<SilenceLook> {
    const looks = rules.flatMap(looksOf);
    const watched = rules.flatMap((rule) => watchedBy(rule, looksOf(rule)));
    if (watched.length === 0) return { since: [], judge: async () => [] };
    const before = await facts.runs([...new Set(watched.map(({ name }) => name))]);
    const now = clock();
    const longestMs = Math.max(...rules.map(({ minutes }) => minutes)) * MINUTE_MS + MAX_GAP_MS;
    // A call that ended while nobody looked ends an alert of before, and one that ended just before is the one from which the minutes count.
    const seen = [...before.values()].map(({ seenAt }) => Math.max(seenAt, now - DAY_MS) - longestMs);
    const begins = looks.flatMap(({ run }) => (run.kind === "running" && !run.isSure ? [run.begin] : []));
    async function judge(heard: HeardEnds, signal: AbortSignal) {
      const runs = new Map<string, TaskRun>();
      for (const own of watched) {
        const run = nextRun(before.get(own.name), { run: own.runOf(heard), at: own.at });
        if (run) runs.set(own.name, run);
      }
      await facts.saveRuns(runs);
      const permits = createSemaphore(PARALLEL);
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(listsMs)]);
      const judgeNow = async (own: Watched) => {
        const since = runs.get(own.name)?.since ?? null;
        return { rule: own.rule, subject: own.subject, ...(await judgeOne(own, { since, heard }, inTime)) };
      };
      return Promise.all(watched.map((own) => permits.run(() => judgeNow(own))));
    }
    return { since: [now - longestMs, ...seen, ...begins], judge };
  }

  async function judgeOne(
    { rule, subject, taskId, assistantId, taskIds, listedIds, at: now, runOf, endOf, unsureOf }: Watched,
    { since, heard }: { since: number | null; heard: HeardEnds },
    signal: AbortSignal,
  ): Promise<Omit<Judged, "subject">> {
    const about = { rule, subject, taskId, assistantId };
    const over = (at: number, ending: "RECOVERED" | "NOT_RUNNING", isOfBefore = false): Finding => ({
      ...about,
      condition: null,
      over: { at, ending, isOfBefore },
    });
    const unsure = unsureOf(heard);
    if (unsure.length > 0) return { findings: [], doubts: unsure.map(unsureDay) };
    const run = runOf(heard);
    if (run.kind === "unknown") return { findings: [], doubts: [run.doubt] };
    const key = `${rule.name} ${subject}`;
    if (run.kind === "notRunning" || since === null) {
      confirmed.delete(key);
      return { findings: [over(now, "NOT_RUNNING")], doubts: [] };
    }
    const end = endOf(heard);
    const last = Math.max(since, end ?? 0);
    const limitMs = rule.minutes * MINUTE_MS;
    // A call may have become known late. An older one ends an alert of before it alone: looks may have been missing for a while.
    const recovered = end === null ? [] : [over(end, "RECOVERED", now >= end + limitMs)];
    if (now < last + limitMs) {
      confirmed.delete(key);
      return { findings: [...recovered, over(run.begin, "NOT_RUNNING", true)], doubts: [] };
    }
    if (confirmed.get(key) !== last) {
      const { unread } = heard;
      const unclear =
        unread !== null && now < unread + limitMs
          ? "Deliveries of these minutes cannot be read, and may be of any task."
          : await listsCalls(listedIds, now - limitMs, signal);
      if (unclear !== null) return { findings: recovered, doubts: [unclear] };
      confirmed.set(key, last);
    }
    const detail = { unit: "MINUTES", ...(taskId === undefined && { tasks: taskIds }) };
    const value = Math.floor((now - last) / MINUTE_MS);
    const condition = { at: now, value, threshold: rule.minutes, detail };
    return { findings: [...recovered, { ...about, condition }], doubts: [] };
  }
  return { look };
}
