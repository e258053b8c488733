// What of a look is for a rule on tasks: the tasks that it names, or those that are known, and of them those of its assistants.
import type { TaskNote } from "../store/alerts/taskLookStore.ts";
import type { TaskRule } from "./alertFile.ts";
import { isOnEachTask } from "./judgeCall.ts";
import { isStoppedLately } from "./peopleLeft.ts";
import type { TaskLook } from "./taskLook.ts";
import { hasLongEnded, nothingKnown, type WatchedTasks } from "./watchedTasks.ts";

export interface RuleScope {
  rule: TaskRule;
  looks: readonly TaskLook[];
  /** What it watches, also what this look is not about. */
  subjects: ReadonlySet<string>;
  /** Why it does not watch all that it should, in sentences. */
  doubts: readonly string[];
  /** Whether what cannot be told of a subject is a doubt. */
  isDoubtful: (subject: string) => boolean;
  /** Whether what could not be told of a subject before is still a doubt, where this look is not about it. */
  isStill: (subject: string) => boolean;
}

export interface LookedAt {
  watched: WatchedTasks;
  looks: readonly TaskLook[];
  notes: ReadonlyMap<string, TaskNote>;
  /** The assistants of tasks that were created and are not known. */
  created: readonly string[];
}

const CREATED =
  "No call has shown yet which tasks were created through the gateway more than an hour ago: some of them may not be watched.";

export function scopeOf(rule: TaskRule, { watched, looks, notes, created }: LookedAt): RuleScope {
  const { tasks, assistants } = rule;
  const isByAssistant = assistants !== undefined || (rule.kind === "noCalls" && rule.of === "assistant");
  const assistantOf = (taskId: string) => notes.get(taskId)?.assistantId ?? null;
  const given = new Set(tasks ?? watched.known);
  const isOwn = (taskId: string) => assistants?.includes(assistantOf(taskId) ?? "") ?? true;
  // One whose assistant is not known stays as it is.
  const own = [...given].filter((taskId) => isOwn(taskId) || assistantOf(taskId) === null);
  const all = looks.filter(({ taskId }) => given.has(taskId));
  const unclear = isByAssistant ? all.filter(({ taskId, isOver }) => assistantOf(taskId) === null && !isOver) : [];
  const isSeldom = (taskId: string) => tasks === undefined && watched.seldom.has(taskId);
  const isOld = (taskId: string) => tasks === undefined && hasLongEnded(notes.get(taskId));
  // Several together are those that may run.
  const together = own.filter((taskId) => isOwn(taskId) && !isOld(taskId));
  const subjects = new Set(isOnEachTask(rule) ? own.map((taskId) => `task ${taskId}`) : groupsOf(together));
  function isDoubtful(subject: string): boolean {
    const taskId = subject.replace(/^task /, "");
    // What cannot be told of a stop is not told by another look, either.
    if (rule.kind === "peopleLeft" && isStoppedLately(notes.get(taskId))) return true;
    return !isSeldom(taskId) && !isOld(taskId);
  }
  return {
    rule,
    looks: all.filter(({ taskId }) => isOwn(taskId)),
    subjects,
    doubts: [
      ...(tasks === undefined ? watched.doubts : []),
      ...(tasks === undefined && created.some((id) => assistants?.includes(id) ?? true) ? [CREATED] : []),
      ...(own.length === 0 ? [tasks ? "None of its tasks is of its assistants." : nothingKnown(rule)] : []),
      ...unclear.map(({ run, taskId }) =>
        run.kind === "unknown" ? run.doubt : `The assistant of task ${taskId} cannot be read.`,
      ),
    ],
    isDoubtful,
    isStill: (subject) => subjects.has(subject) && isDoubtful(subject),
  };
  function groupsOf(some: readonly string[]): string[] {
    if (rule.kind === "noCalls" && rule.of === "all") return some.length > 0 ? ["all"] : [];
    return some.map(assistantOf).flatMap((id) => (id === null ? [] : [`assistant ${id}`]));
  }
}
