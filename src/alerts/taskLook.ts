// A look at a task, as the kinds of rules on tasks share it. Instants are epoch milliseconds.
import type { Finding } from "./conditions.ts";

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

export interface TaskLook extends Pick<SeenTask, "run" | "people" | "assistantId" | "isOver"> {
  taskId: string;
  at: number;
  /** False: it is of a look before. */
  isNow: boolean;
  /** When the service stopped it last, also where it has gone on since. Null: it never has. */
  stop: number | null;
  /** Since when a known task has ended that is not asked about for now. Null: that is not known. Missing in every other look. */
  restsSince?: number | null;
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
