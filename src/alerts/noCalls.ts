// Tasks of which no call ends although they run, in their hours: each on its own, or several together. A silence counts from the last call, and from
// when looks have seen the task to run without a break.
import type { Logger } from "../logger.ts";
import { DAY_MS, MINUTE_MS } from "../util/durations.ts";
import type { Finding } from "./conditions.ts";
import { createListedCalls } from "./listedCalls.ts";
import { hear, watchedBy, type Heard, type NoCallsRule, type Watched } from "./silentTasks.ts";
import { type HeardEnds, type Judged, type LooksOf, type SeenRun, unsureDay } from "./taskLook.ts";

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

const UNREAD = "Deliveries of these minutes cannot be read, and may be of any task.";

/** `silence`: what is found where the service lists no call. */
interface Judging extends Omit<Judged, "subject"> {
  silence?: { begin: number; finding: Finding };
}

/** The run as a look sees it at `at`. */
function nextRun(before: TaskRun | undefined, run: SeenRun, at: number): TaskRun | undefined {
  if (run.kind === "unknown") return undefined;
  if (run.kind === "notRunning") return { since: null, seenAt: at };
  const gap = before ? at - before.seenAt : Infinity;
  const isContinued = before && gap >= 0 && gap <= MAX_GAP_MS ? before.since : null;
  return { since: Math.max(isContinued ?? at, run.begin), seenAt: at };
}

export interface NoCallsDeps {
  facts: SilenceFacts;
  /** See ListedCallsDeps. */
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
  const unclearOf = createListedCalls({ listsCalls: facts.listsCalls, listsMs, clock, log });

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
      const judged = watched.map((own) => {
        const said = hear(own, heard);
        const run = nextRun(before.get(own.name), said.run, own.at);
        if (run) runs.set(own.name, run);
        return { own, ...judgeOne(own, { ...said, since: run?.since ?? null, unread: heard.unread }) };
      });
      await facts.saveRuns(runs);
      const silent = judged.flatMap(({ own, silence }) =>
        silence ? [{ own, taskIds: own.listedIds, minutes: own.rule.minutes, begin: silence.begin }] : [],
      );
      const texts = await unclearOf(silent, signal);
      const unclear = new Map(silent.map(({ own }, index) => [own, texts[index] ?? null]));
      return judged.map(({ own, silence, findings, doubts }) => {
        const doubt = unclear.get(own) ?? null;
        const found = silence && doubt === null ? [silence.finding] : [];
        const all = { findings: [...findings, ...found], doubts: doubt === null ? doubts : [...doubts, doubt] };
        return { rule: own.rule, subject: own.subject, ...all };
      });
    }
    return { since: [now - longestMs, ...seen, ...begins], judge };
  }

  function judgeOne(
    { rule, subject, taskId, assistantId, taskIds, at: now }: Watched,
    { run, end, unsure, since, unread }: Heard & Pick<TaskRun, "since"> & Pick<HeardEnds, "unread">,
  ): Judging {
    const about = { rule, subject, taskId, assistantId };
    const over = (at: number, ending: "RECOVERED" | "NOT_RUNNING", isOfBefore = false): Finding => ({
      ...about,
      condition: null,
      over: { at, ending, isOfBefore },
    });
    if (unsure.length > 0) return { findings: [], doubts: unsure.map(unsureDay) };
    if (run.kind === "unknown") return { findings: [], doubts: [run.doubt] };
    if (run.kind === "notRunning" || since === null) return { findings: [over(now, "NOT_RUNNING")], doubts: [] };
    const begin = Math.max(since, end ?? 0);
    const limitMs = rule.minutes * MINUTE_MS;
    // A call may have become known late. An older one ends an alert of before it alone: looks may have been missing for a while.
    const recovered = end === null ? [] : [over(end, "RECOVERED", now >= end + limitMs)];
    if (now < begin + limitMs) return { findings: [...recovered, over(run.begin, "NOT_RUNNING", true)], doubts: [] };
    if (unread !== null && now < unread + limitMs) return { findings: recovered, doubts: [UNREAD] };
    const detail = { unit: "MINUTES", ...(taskId === undefined && { tasks: taskIds }) };
    const value = Math.floor((now - begin) / MINUTE_MS);
    const condition = { at: now, value, threshold: rule.minutes, detail };
    return { findings: recovered, doubts: [], silence: { begin, finding: { ...about, condition } } };
  }
  return { look };
}
