// What a rule on silence watches: each of its tasks, or several together, of which one runs at least: all, or those of each assistant.
import { MINUTE_MS } from "../util/durations.ts";
import type { AlertRule } from "./alertFile.ts";
import { countingOf, isOnEachTask } from "./judgeCall.ts";
import { isResting, subjectOf, type HeardEnds, type SeenRun, type TaskLook } from "./taskLook.ts";
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
  looks: readonly TaskLook[];
}

/** What looks and the log say together. */
export interface Heard {
  run: SeenRun;
  /** When the newest call ended. Null: none is known. */
  end: number | null;
  /** Those that run on a day of which nobody says whether they call. Empty where a task is known to call. */
  unsure: readonly string[];
}

/** `all`: the looks at its tasks. What was not looked at now is left out. */
export function watchedBy(rule: NoCallsRule, all: readonly TaskLook[]): Watched[] {
  const isAlone = isOnEachTask(rule);
  return [...Map.groupBy(all, (look) => subjectOf(rule, look))].flatMap(([subject, some]) => {
    const looks = some.toSorted((a, b) => a.taskId.localeCompare(b.taskId, "en", { numeric: true }));
    const [first] = looks;
    if (subject === null || !first || !looks.some(({ isNow }) => isNow)) return [];
    const mayRun = looks.filter((look) => !isResting(look));
    const at = Math.max(...mayRun.map(({ note }) => note.at));
    const since = at - rule.minutes * MINUTE_MS - ENDING_MS;
    const listed = looks.filter((look) => !isResting(look) || (look.note.overSince ?? -Infinity) > since);
    const about = {
      taskId: isAlone ? first.taskId : undefined,
      assistantId: rule.of === "assistant" ? (first.note.assistantId ?? undefined) : undefined,
    };
    const ids = { taskIds: idsOf(mayRun), listedIds: idsOf(listed) };
    // Another list of tasks, as the rule has it, is another run.
    const name = isAlone ? subject : `${countingOf(rule)} ${subject}`;
    return [{ rule, subject, ...about, ...ids, name, at, looks }];
  });
}

const idsOf = (looks: readonly Pick<TaskLook, "taskId">[]) => looks.map(({ taskId }) => taskId);

export function hear({ rule, looks }: Watched, { ends }: HeardEnds): Heard {
  const known = looks.map(({ taskId }) => ends.get(taskId)).filter((end) => end !== undefined);
  const running = looks.flatMap(({ run, taskId }) => (run.kind === "running" ? [{ ...run, taskId }] : []));
  const sure = running.filter(({ isSure, begin, taskId }) => isSure || (ends.get(taskId) ?? -Infinity) >= begin);
  const unread = looks.find(({ run }) => run.kind === "unknown");
  // A run of one counts from its begin, also where a call shows later that the task calls on this day. Of several, one that is known to call is enough,
  // whatever is not known of others, and its time alone counts.
  const counting = isOnEachTask(rule) ? running : sure;
  const begin = Math.min(...counting.map((run) => run.begin));
  return {
    run: counting.length > 0 ? { kind: "running", begin, isSure: true } : (unread?.run ?? { kind: "notRunning" }),
    end: known.length === 0 ? null : Math.max(...known),
    unsure: sure.length > 0 ? [] : idsOf(running),
  };
}
