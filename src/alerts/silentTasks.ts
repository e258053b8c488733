// What a rule on silence watches: each of its tasks, or several together, of which one runs at least: all, or those of each assistant.
import type { AlertRule } from "./alertFile.ts";
import { countingOf } from "./judgeCall.ts";
import type { HeardEnds, SeenRun, TaskLook } from "./taskLook.ts";

export type NoCallsRule = Extract<AlertRule, { kind: "noCalls" }>;
export const isNoCalls = (rule: AlertRule): rule is NoCallsRule => rule.kind === "noCalls";

export interface Watched extends Pick<TaskLook, "run" | "at"> {
  rule: NoCallsRule;
  subject: string;
  /** Undefined: it is about several. */
  taskId: string | undefined;
  assistantId: string | undefined;
  taskIds: readonly string[];
  /** The name of the run. */
  name: string;
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
    return { rule, subject, taskId, assistantId: undefined, name: subject, run, at, ...heardOf([look]) };
  });
}

function together(
  rule: NoCallsRule,
  of: Pick<Watched, "subject" | "assistantId">,
  some: readonly TaskLook[],
): Watched[] {
  if (!some.some(({ isNow }) => isNow)) return [];
  const looks = some.toSorted((a, b) => a.taskId.localeCompare(b.taskId, "en", { numeric: true }));
  const at = Math.max(...looks.map((look) => look.at));
  // Another list of tasks, as the rule has it, is another run.
  const name = `${countingOf(rule)} ${of.subject}`;
  return [{ rule, ...of, taskId: undefined, name, run: runOfAll(looks), at, ...heardOf(looks) }];
}

function heardOf(looks: readonly TaskLook[]): Pick<Watched, "taskIds" | "endOf" | "unsureOf"> {
  const running = looks.flatMap(({ run, taskId }) => (run.kind === "running" ? [{ ...run, taskId }] : []));
  return {
    taskIds: looks.map(({ taskId }) => taskId),
    endOf({ ends }) {
      const known = looks.map(({ taskId }) => ends.get(taskId)).filter((end) => end !== undefined);
      return known.length === 0 ? null : Math.max(...known);
    },
    unsureOf({ ends }) {
      const unsure = running.filter(({ isSure, begin, taskId }) => !isSure && (ends.get(taskId) ?? -Infinity) < begin);
      return unsure.length < running.length ? [] : unsure.map(({ taskId }) => taskId);
    },
  };
}

/** One that runs is enough, whatever is not known of others. */
function runOfAll(looks: readonly TaskLook[]): SeenRun {
  const running = looks.flatMap(({ run }) => (run.kind === "running" ? [run] : []));
  if (running.length > 0)
    return { kind: "running", begin: Math.min(...running.map(({ begin }) => begin)), isSure: true };
  return looks.find(({ run }) => run.kind === "unknown")?.run ?? { kind: "notRunning" };
}
