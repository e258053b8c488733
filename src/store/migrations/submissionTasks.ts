// Version 5: the task of a submission, and the tasks that were met in the log.
import type { Migration } from "./sqlDialect.ts";

export const correlation: Migration = ({ text }) => [
  `alter table submissions add column task_id ${text}`,
  `create index submissions_by_time on submissions (submitted_at, id)`,
  `create index submissions_by_task on submissions (task_id) where task_id is not null`,
  `create index submissions_open on submissions (name) where status in ('PENDING', 'ACCEPTED', 'UNCONFIRMED')`,
  `create table met_tasks (task_id ${text} primary key, met_at ${text} not null, waits integer not null)`,
  `create index met_tasks_waiting on met_tasks (met_at) where waits = 1`,
];
