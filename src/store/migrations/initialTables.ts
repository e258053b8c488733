// Version 1: the log, what could not be read of it, submissions, reconciliation, and whose turn it is.
import type { Migration } from "./sqlDialect.ts";

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
  // All that statistics count: they read this and not the rows.
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
