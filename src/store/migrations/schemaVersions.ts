// The statements of the schema versions up to 16, for both databases; laterVersions.ts has the others. A released version never changes.
import type { Migration } from "./dialects.ts";
import { laterVersions } from "./laterVersions.ts";

/** Version 1: the event log, quarantine, submissions, reconciliation and leases. */
export const eventLog: Migration = ({ serial, text, bigint, double, bytes }) => [
  `create table events (
    seq ${serial},
    session_id ${text} not null,
    revision integer not null,
    newest integer not null,
    source ${text} not null,
    delivery_sha256 ${text} not null,
    received_at ${text} not null,
    ended_at ${text} not null,
    direction ${text},
    hangup_side ${text},
    hangup_reason ${text},
    answered integer not null,
    duration ${double},
    billsec ${double},
    task_id ${text},
    caller ${text},
    callee ${text},
    data ${text} not null,
    unique (session_id, revision)
  )`,
  `create index events_by_task on events (task_id, seq)`,
  `create index events_by_end on events (ended_at)`,
  // Holds every column that statistics need, so that they read the index and not the rows.
  `create index events_counted on events
    (task_id, callee, answered, ended_at, hangup_reason, hangup_side, duration, billsec) where newest = 1`,
  `create table event_assistants (
    assistant_id ${text} not null,
    seq ${bigint} not null references events (seq) on delete cascade,
    primary key (assistant_id, seq)
  )`,
  `create index event_assistants_by_event on event_assistants (seq)`,
  `create table quarantine (
    id ${serial},
    received_at ${text} not null,
    reason ${text} not null,
    body_sha256 ${text} not null unique,
    body ${bytes} not null
  )`,
  `create table submissions (
    id ${text} primary key,
    viewer ${text} not null,
    idempotency_key ${text} not null,
    input_sha256 ${text} not null,
    status ${text} not null,
    name ${text} not null,
    assistant_id ${text} not null,
    number_count integer not null,
    submitted_at ${text} not null,
    unique (viewer, idempotency_key)
  )`,
  `create table open_calls (session_id ${text} primary key, start_at ${text} not null)`,
  `create table leases (name ${text} primary key, holder ${text} not null, expires_at ${bigint} not null)`,
  `create table settings (name ${text} primary key, value ${text} not null)`,
];

/** Version 2: the cursors of durable readers. */
export const readers: Migration = ({ text }) => [
  `create table readers (name ${text} primary key, cursor ${text} not null)`,
];

/** Version 3: the tasks and assistant versions that the gateway has seen. The service has no list of either. */
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

/**
 * Version 4: a checksum for each row of the log. Older rows have none, and neither have rows that a gateway of the previous
 * version writes to the same PostgreSQL.
 */
export const checksums: Migration = ({ bigint, allowExplicitIds }) => [
  `alter table events add column checksum ${bigint}`,
  ...allowExplicitIds("events", "seq"),
  `insert into settings (name, value)
    select 'checksummed_after', cast(coalesce(max(seq), 0) as text) from events`,
];

/** Version 5: the task of a submission, and the tasks that were seen in the log. */
export const correlation: Migration = ({ text }) => [
  `alter table submissions add column task_id ${text}`,
  `create index submissions_by_time on submissions (submitted_at, id)`,
  `create index submissions_by_task on submissions (task_id) where task_id is not null`,
  `create index submissions_open on submissions (name) where status in ('PENDING', 'ACCEPTED', 'UNCONFIRMED')`,
  `create table met_tasks (task_id ${text} primary key, met_at ${text} not null, waits integer not null)`,
  `create index met_tasks_waiting on met_tasks (met_at) where waits = 1`,
];

/** Version 6: a recording is a job until it is archived or lost. */
export const recordings: Migration = ({ text, bigint }) => [
  `create table recordings (
    session_id ${text} primary key,
    revision integer not null,
    received_at ${text} not null,
    status ${text} not null,
    url ${text},
    attempts integer not null,
    due_at ${bigint} not null,
    holder ${text},
    failure ${text},
    sha256 ${text},
    content_type ${text},
    bytes ${bigint},
    archived_at ${text},
    settled ${bigint}
  )`,
  `create index recordings_waiting on recordings (received_at, due_at) where status = 'PENDING'`,
  `create index recordings_settled on recordings (settled)`,
  `create index recordings_by_status on recordings (status)`,
  `create index recordings_by_age on recordings (received_at)`,
  `create index recordings_by_content on recordings (sha256)`,
];

/** Version 7: keyed hashes of erased calls and deliveries, so that they are not accepted again. */
export const forgotten: Migration = ({ text }) => [`create table forgotten (mark ${text} primary key)`];

/** Version 8: the points that callers have spent, over all gateways. A crash of the server may empty this table. */
export const spentPoints: Migration = ({ text, bigint, unlogged }) => [
  `create ${unlogged} table spent_points (key ${text} primary key, points integer not null, expire ${bigint})`,
];

/** Version 9: indexes that find due recordings in order, and leave out recordings that have not ended. */
export const recordingIndexes: Migration = () => [
  `drop index recordings_waiting`,
  `drop index recordings_by_status`,
  `create index recordings_by_status on recordings (status, received_at, due_at)`,
  `drop index recordings_settled`,
  `create index recordings_settled on recordings (settled) where settled is not null`,
  `drop index recordings_by_content`,
  `create index recordings_by_content on recordings (sha256) where sha256 is not null`,
];

/** Version 10: how a submission's task was found. Older ones count as marked, so that a comparison accepts fewer tasks for them. */
export const submissionMatches: Migration = ({ text }) => [
  `alter table submissions add column matched_by ${text}`,
  `alter table submissions add column marked integer not null default 1`,
  `create index submissions_unmarked on submissions (name) where marked = 0`,
  `update met_tasks set waits = 2 where waits = 1`,
  `drop index met_tasks_waiting`,
  `create index met_tasks_waiting on met_tasks (met_at) where waits > 0`,
];

/** Version 11: the outgoing lines that the gateway has seen, and indexes that list assistants without reading their data. */
export const knownLines: Migration = ({ text }) => [
  `create table known_lines (
    line_id ${text} primary key,
    seen_at ${text} not null,
    from_task integer not null,
    from_submission integer not null
  )`,
  `create index known_lines_by_sight on known_lines (seen_at, line_id)`,
  `create index known_assistants_by_id on known_assistants (assistant_id, seen_at, version_id)`,
  `create index submissions_by_assistant on submissions (assistant_id, submitted_at)
    where status in ('ACCEPTED', 'RESOLVED')`,
];

/** Version 12: the audit log. Rows without an `hour` never conflict. */
export const audit: Migration = ({ serial, text, bigint }) => [
  `create table audit (
    id ${serial},
    at ${text} not null,
    actor ${text} not null,
    action ${text} not null,
    subject ${text},
    count ${bigint} not null,
    hour ${text},
    unique (actor, subject, hour)
  )`,
  `create index audit_by_time on audit (at)`,
  `create index audit_plays on audit (subject) where action = 'RECORDING_PLAYED'`,
];

/** Version 13: the never-call list, as 53 bits of a keyed digest each, and how many numbers of a submission it left out. */
export const doNotCall: Migration = ({ bigint }) => [
  `create table do_not_call (digest ${bigint} primary key)`,
  `alter table submissions add column left_out integer not null default 0`,
];

/** Version 14: how many tasks and numbers each viewer has sent in its current hour and day. */
export const viewerUsage: Migration = ({ text, bigint }) => [
  `create table viewer_usage (
    viewer ${text} primary key,
    hour_start ${text} not null,
    hour_tasks ${bigint} not null,
    hour_numbers ${bigint} not null,
    day_start ${text} not null,
    day_tasks ${bigint} not null,
    day_numbers ${bigint} not null
  )`,
  `create index viewer_usage_by_day on viewer_usage (day_start)`,
];

/** Version 15: submissions that wait for the approval of another viewer. */
export const taskProposals: Migration = ({ text }) => [
  `alter table submissions add column sent_at ${text}`,
  `create table task_proposals (
    submission_id ${text} primary key references submissions (id) on delete cascade,
    expires_at ${text} not null,
    summary ${text} not null,
    policy ${text} not null,
    input ${text}, attempt ${text},
    decided_at ${text}, decided_by ${text}, decline_reason ${text}
  )`,
  `create index task_proposals_waiting on task_proposals (expires_at) where input is not null`,
];

/** Version 16: accepted deliveries as they came. `received_at` is that of the newest one in the frame. */
export const rawDeliveries: Migration = ({ text, bigint, bytes }) => [
  `create table raw_deliveries (first_seq ${bigint} primary key, received_at ${text} not null, bodies ${bytes} not null)`,
];

/** All versions, from 1. */
export const schemaVersions: readonly Migration[] = [
  eventLog,
  readers,
  knownTasks,
  checksums,
  correlation,
  recordings,
  forgotten,
  spentPoints,
  recordingIndexes,
  submissionMatches,
  knownLines,
  audit,
  doNotCall,
  viewerUsage,
  taskProposals,
  rawDeliveries,
  ...laterVersions,
];
