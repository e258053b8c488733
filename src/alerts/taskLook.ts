// A look at a task, as the kinds of rules on tasks share it. Instants are epoch milliseconds.
import type { TaskNote } from "../store/alerts/taskLookStore.ts";
import type { TaskRule } from "./alertFile.ts";
import type { Finding } from "./conditions.ts";
import { isOnEachTask, type Subject } from "./judgeCall.ts";

/** Whether a task runs, in its hours. `begin`: of these hours. */
export type SeenRun =
  /** `isSure` false: nobody says whether the task calls on this day. A call in these hours shows it. */
  { kind: "running"; begin: number; isSure: boolean } | { kind: "notRunning" } | { kind: "unknown"; doubt: string };

/** `isSure` as above; a call after the hours shows it, too. */
export interface SeenHours {
  begin: number;
  end: number;
  isSure: boolean;
}

/** What the service tells of a task's people and hours. */
export type SeenPeople =
  /** By a person. */
  | { kind: "stopped" }
  /** The service has no such task. */
  | { kind: "gone" }
  | { kind: "unknown"; doubt: string }
  /** The service says that nobody is left. */
  | ({ kind: "done" } & PeopleCount)
  /** By the service. */
  | ({ kind: "ended" } & PeopleCount)
  | ({
      kind: "open";
      createdAt: number | null;
      /** Its hours now. */
      current: SeenHours | null;
      /** Its hours that ended last. `next`: those that follow, after a break or the end of a day. Null: it calls no more. */
      last: (SeenHours & { next: { isSure: boolean; isBreak: boolean } | null }) | null;
    } & PeopleCount);

/** As the service has them. Null: they cannot be read. */
export interface PeopleCount {
  total: number | null;
  progress: number | null;
}

export interface SeenTask {
  run: SeenRun;
  people: SeenPeople;
  /** The service's ID. Null: it cannot be read. */
  assistantId: string | null;
  /** It has ended, or the service does not have it. */
  isOver: boolean;
  /** When it changed last. Null: it cannot be read. */
  changedAt: number | null;
}

/** A task as a look has it. */
export interface TaskLook extends Pick<SeenTask, "run" | "people"> {
  taskId: string;
  /** What is known of it after the look. */
  note: TaskNote;
  /** Whether the service was asked about it now. */
  isNow: boolean;
  /** Whether it is asked about once an hour. */
  isSeldom: boolean;
  /** Its last known activity. 0: a rule names it. */
  activeAt: number;
}

/** Whether a task waits for the hour in which it is asked about. */
export const isResting = ({ isNow, isSeldom }: TaskLook): boolean => isSeldom && !isNow;

/** What a task is watched as, alone or with others. Null: its assistant is not known. */
export function subjectOf(rule: TaskRule, { taskId, note: { assistantId } }: TaskLook): Subject | null {
  if (isOnEachTask(rule)) return `task ${taskId}`;
  if ("of" in rule && rule.of === "all") return "all";
  return assistantId === null ? null : `assistant ${assistantId}`;
}

/** The looks at the tasks of a rule. */
export type LooksOf = (rule: { name: string }) => readonly TaskLook[];

/** When calls of tasks ended. */
export interface HeardEnds {
  /** The newest end of each task. */
  ends: ReadonlyMap<string, number>;
  /** When the newest delivery came that may be of any task. */
  unread: number | null;
}

/** What a rule makes of a look at a task. `doubts`: why it could not tell, in sentences. */
export interface Judged {
  subject: string;
  findings: Finding[];
  doubts: string[];
}

export const unsureDay = (taskId: string): string =>
  `UPSTREAM_TASK_DAYS does not say whether task ${taskId} calls after its start date.`;
