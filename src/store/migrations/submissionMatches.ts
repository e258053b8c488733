// Version 10: by what a submission's task was found, and whether its numbers carry a mark. Of older submissions neither is known:
// such a one counts as marked, for then less is taken for its task.
import type { Migration } from "./sqlDialect.ts";

export const submissionMatches: Migration = ({ text }) => [
  `alter table submissions add column matched_by ${text}`,
  `alter table submissions add column marked integer not null default 1`,
  `create index submissions_unmarked on submissions (name) where marked = 0`,
  `update met_tasks set waits = 2 where waits = 1`,
  `drop index met_tasks_waiting`,
  `create index met_tasks_waiting on met_tasks (met_at) where waits > 0`,
];
