// Tasks and versions of assistants that the gateway has met: the service lists neither.
import type { Migration } from "./sqlDialect.ts";

export const knownTasks: Migration = ({ text }) => [
  `create table known_tasks (
    task_id ${text} primary key,
    active_at ${text} not null,
    seen_at ${text} not null
  )`,
  `create index known_tasks_by_activity on known_tasks (active_at, task_id)`,
  `create index known_tasks_by_sight on known_tasks (seen_at)`,
  `create table known_assistants (
    assistant_id ${text} not null,
    version_id ${text} not null,
    seen_at ${text} not null,
    data ${text} not null,
    primary key (assistant_id, version_id)
  )`,
  `create index known_assistants_by_sight on known_assistants (seen_at)`,
];
