// What a rule on silence watches: each of its tasks, or several together, of which one runs at least: all, or those of each assistant.
import { MINUTE_MS } from "../util/durations.ts";
import type { AlertRule } from "./alertFile.ts";
import { countingOf } from "./judgeCall.ts";
import type { HeardEnds, SeenRun, TaskLook } from "./taskLook.ts";
import { ENDING_MS } from "./watchedTasks.ts";

export type NoCallsRule = Extract<AlertRule, { kind: "noCalls" }>;
export const isNoCalls = (rule: AlertRule): rule is NoCallsRule => rule.kind === "noCalls";

export interface Watched {
  rule: NoCallsRule;
  subject: string;
  /** Undefined: it is about several. */
  taskId: string | undefined;
  assistantId: string | undefined;
  /** Those that may run. */
  taskIds: readonly string[];
  /** Those of which a call may have ended in the minutes of the rule. */
  listedIds: readonly string[];
  at: number;
  /** The name of the run. */
  name: string;
  runOf(heard: HeardEnds): SeenRun;
  /** When the newest call ended. Null: none is known. */
  endOf(heard: HeardEnds): number | null;
  /** Those that run on a day of which nobody says whether they call. Empty where a task is known to call. */
  unsureOf(heard: HeardEnds): string[];
}

/** `looks`: at its tasks. What was not looked at now is left out. */
export function watchedBy(rule: NoCallsRule, looks: readonly TaskLook[]): Watched[] {
  if (rule.of === "all") return together(rule, { subject: "all", assistantId: undefined }, looks);
  if (rule.of === "assistant")
    return [...Map.groupBy(looks, (look) => look.assistantId)].flatMap(([assistantId, own]) =>
      assistantId === null ? [] : together(rule, { subject: `assistant ${assistantId}`, assistantId }, own),
    );
  const now = looks.filter(({ isNow }) => isNow);
  return now.map((look) => {
    const { taskId, run, at } = look;
    const subject = `task ${taskId}`;
    const ids = { taskIds: [taskId], listedIds: [taskId] };
    // A run counts from its begin, also where a call shows later that the task calls on this day.
    return {
      rule,
      subject,
      taskId,
      assistantId: undefined,
      ...ids,
      name: subject,
      at,
      ...heardOf([look]),
      runOf: () => run,
    };
  });
}

function together(
  rule: NoCallsRule,
  of: Pick<Watched, "subject" | "assistantId">,
  some: readonly TaskLook[],
): Watched[] {
  if (!some.some(({ isNow }) => isNow)) return [];
  const looks = some.toSorted((a, b) => a.taskId.localeCompare(b.taskId, "en", { numeric: true }));
  const mayRun = looks.filter(({ restsSince }) => restsSince === undefined);
  const at = Math.max(...mayRun.map((look) => look.at));
  const since = at - rule.minutes * MINUTE_MS - ENDING_MS;
  const listed = looks.filter(
    ({ restsSince }) => restsSince === undefined || (restsSince !== null && restsSince > since),
  );
  const ids = { taskIds: idsOf(mayRun), listedIds: idsOf(listed) };
  // Another list of tasks, as the rule has it, is another run.
  const name = `${countingOf(rule)} ${of.subject}`;
  return [{ rule, ...of, taskId: undefined, ...ids, name, at, ...heardOf(looks) }];
}

const idsOf = (looks: readonly TaskLook[]) => looks.map(({ taskId }) => taskId);

function heardOf(looks: readonly TaskLook[]): Pick<Watched, "endOf" | "runOf" | "unsureOf"> {
  const running = looks.flatMap(({ run, taskId }) => (run.kind === "running" ? [{ ...run, taskId }] : []));
  const sureOf = ({ ends }: HeardEnds) =>
    running.filter(({ isSure, begin, taskId }) => isSure || (ends.get(taskId) ?? -Infinity) >= begin);
  return {
    endOf({ ends }) {
      const known = looks.map(({ taskId }) => ends.get(taskId)).filter((end) => end !== undefined);
      return known.length === 0 ? null : Math.max(...known);
    },
    /** One that is known to call is enough, whatever is not known of others, and its time alone counts. */
    runOf(heard) {
      const begins = sureOf(heard).map(({ begin }) => begin);
      if (begins.length > 0) return { kind: "running", begin: Math.min(...begins), isSure: true };
      return looks.find(({ run }) => run.kind === "unknown")?.run ?? { kind: "notRunning" };
    },
    unsureOf: (heard) => (sureOf(heard).length > 0 ? [] : running.map(({ taskId }) => taskId)),
  };
}
