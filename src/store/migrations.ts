// The schema's history. An entry that was released is never changed: a new one is added behind it.

/** One entry per schema version, from 1; each entry's statements run in the one transaction of the start. */
export const migrations: readonly (readonly string[])[] = [
  [
    `create table events (
      seq integer primary key autoincrement,
      session_id text not null unique,
      received_at text not null,
      ended_at text not null,
      direction text,
      hangup_side text,
      answered integer not null,
      task_id text,
      caller text,
      callee text,
      data text not null
    ) strict`,
    `create index events_by_task on events (task_id, seq)`,
    `create table event_assistants (
      assistant_id text not null,
      seq integer not null references events (seq) on delete cascade,
      primary key (assistant_id, seq)
    ) strict, without rowid`,
    `create table quarantine (
      id integer primary key autoincrement,
      received_at text not null,
      reason text not null,
      body_sha256 text not null unique,
      body blob not null
    ) strict`,
    `create table submissions (
      id text primary key,
      viewer text not null,
      idempotency_key text not null,
      input_sha256 text not null,
      status text not null,
      name text not null,
      assistant_id text not null,
      number_count integer not null,
      submitted_at text not null,
      unique (viewer, idempotency_key)
    ) strict, without rowid`,
    `create table settings (name text primary key, value text not null) strict, without rowid`,
  ],
];
