// What of a look is for a rule on tasks: the tasks that it names, or those that are known, and of them those of its assistants.
import type { TaskRule } from "./alertFile.ts";
import { isOnEachTask } from "./judgeCall.ts";
import { isStoppedLately } from "./peopleLeft.ts";
import { subjectOf, type TaskLook } from "./taskLook.ts";
import { hasLongEnded, nothingKnown, type WatchedTasks } from "./watchedTasks.ts";

export interface RuleScope {
  rule: TaskRule;
  looks: readonly TaskLook[];
  /** What it watches, also what this look is not about. */
  subjects: ReadonlySet<string>;
  /** Those of which it is a doubt what cannot be told, or could not be told by the last look at them. */
  doubtful: ReadonlySet<string>;
  /** Why it does not watch all that it should, in sentences. */
  doubts: readonly string[];
}

export interface LookedAt {
  watched: WatchedTasks;
  looks: readonly TaskLook[];
  /** The assistants of tasks that were created and are not known. */
  created: readonly string[];
}

const CREATED =
  "No call has shown yet which tasks were created through the gateway more than an hour ago: some of them may not be watched.";

export function scopeOf(rule: TaskRule, { watched, looks, created }: LookedAt): RuleScope {
  const { tasks, assistants } = rule;
  const isWide = tasks === undefined;
  const given = looks.filter(({ taskId }) => tasks?.includes(taskId) ?? watched.known.has(taskId));
  const isOwn = ({ note }: TaskLook) => assistants?.includes(note.assistantId ?? "") ?? true;
  // One whose assistant is not known stays as it is.
  const own = given.filter((look) => isOwn(look) || look.note.assistantId === null);
  const isOld = (look: TaskLook) => isWide && hasLongEnded(look);
  // What cannot be told of a stop is not told by another look, either.
  const isDoubtful = (look: TaskLook) =>
    (rule.kind === "peopleLeft" && isStoppedLately(look.note)) || !(look.isSeldom || isOld(look));
  const isUnclear = (look: TaskLook) =>
    look.note.assistantId === null &&
    (assistants !== undefined || subjectOf(rule, look) === null) &&
    (look.run.kind === "unknown" || look.note.overSince === null);
  // Several together are those that may run.
  const members = isOnEachTask(rule) ? own : own.filter((look) => isOwn(look) && !isOld(look));
  const subjectsOf = (some: readonly TaskLook[]) =>
    new Set(some.map((look) => subjectOf(rule, look)).filter((subject) => subject !== null));
  return {
    rule,
    looks: given.filter(isOwn),
    subjects: subjectsOf(members),
    doubtful: subjectsOf(members.filter(isDoubtful)),
    doubts: [
      ...(isWide ? watched.doubts : []),
      ...(isWide && created.some((id) => assistants?.includes(id) ?? true) ? [CREATED] : []),
      ...(own.length === 0 ? [isWide ? nothingKnown(rule) : "None of its tasks is of its assistants."] : []),
      ...given
        .filter((look) => isUnclear(look) && isDoubtful(look))
        .map(({ run, taskId }) =>
          run.kind === "unknown" ? run.doubt : `The assistant of task ${taskId} cannot be read.`,
        ),
    ],
  };
}
