// The columns of the tables of alerts. They hold no phone number and no session ID.
import type { Generated } from "kysely";

export interface AlertsTable {
  id: Generated<number>;
  rule: string;
  kind: string;
  /** `task 12`, `assistant 7`, `all`, `key tasksPerHour NAME`, `destination NAME` or `destination NAME disabled`. */
  subject: string;
  task_id: string | null;
  assistant_id: string | null;
  /** The instant that decided, by the times of calls. One alert has a rule, a subject and an instant. */
  raised_at: string;
  value: number;
  threshold: number;
  calls: number;
  /** Further words of the rule, as JSON. */
  detail: string;
  resolved_at: string | null;
  ending: string | null;
  acknowledged_at: string | null;
  acknowledged_by: string | null;
}

/** What a rule knows of a subject, up to the cursor of the reader of alerts. */
export interface AlertStatesTable {
  rule: string;
  subject: string;
  /** What the rule counted when the state was made (alerts/judgeCall.ts). */
  counting: string;
  /** The reader that made it (alerts/judgeCall.ts). */
  reader: string;
  /** 1 while an alert is open. */
  open: number;
  /** The newest call. */
  at: string;
  /** As JSON (alerts/callWindow.ts). */
  state: string;
}

/** Notices of alerts, in order. */
export interface AlertNoticesTable {
  id: Generated<number>;
  alert_id: number;
  /** RAISED or RESOLVED. */
  kind: string;
}
