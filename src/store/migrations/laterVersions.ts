// The statements of the schema versions from 17 on. A released version never changes; add a new one at the end.
import type { Migration } from "./dialects.ts";

/** Version 17: the kind of a delivery in quarantine, the charset that its sender declared, and the call of an event that is not its end. */
const quarantineKinds: Migration = ({ text }) => [
  `alter table quarantine add column kind ${text} not null default 'UNREADABLE'`,
  `alter table quarantine add column charset ${text}`,
  `alter table quarantine add column session_id ${text}`,
  `create index quarantine_by_kind on quarantine (kind, id)`,
  `create index quarantine_by_call on quarantine (session_id, id) where session_id is not null`,
];

/**
 * Version 18: the builds of projections, and the recipients of tasks with what each of their calls contributes. They hold no phone number:
 * `keys` are keyed hashes.
 */
const projections: Migration = ({ text, bigint, double, clustered }) => [
  `create table projections (
    name ${text} not null, build integer not null, version ${text} not null, state ${text} not null,
    primary key (name, build)
  )`,
  `create table recipient_calls (
    build integer not null, session_id ${text} not null, seq ${bigint} not null, task_id ${text} not null,
    recipient ${text} not null, keys ${text} not null, ended_at ${text} not null, outcome ${text} not null,
    talk_time ${double} not null, reason ${text},
    primary key (build, session_id)
  )${clustered}`,
  `create index recipient_calls_by_recipient on recipient_calls (build, task_id, recipient, ended_at, session_id)`,
  `create index recipient_calls_by_position on recipient_calls (seq)`,
  `create table recipient_keys (
    build integer not null, task_id ${text} not null, key ${text} not null, code ${text} not null,
    recipient ${text} not null, primary key (build, task_id, key, code, recipient)
  )${clustered}`,
  `create index recipient_keys_by_recipient on recipient_keys (build, task_id, recipient)`,
  `create table recipients (
    build integer not null, task_id ${text} not null, recipient ${text} not null, outcome ${text} not null,
    attempts integer not null, talk_time ${double} not null, first_at ${text} not null, last_at ${text} not null,
    last_session ${text} not null, last_reason ${text},
    primary key (build, task_id, recipient)
  )${clustered}`,
  `create index recipients_in_order on recipients (build, task_id, first_at, recipient)`,
];

/** Also version 18: imports of history, of which one runs at a time. */
const historyImports: Migration = ({ serial, text, bigint }) => [
  `create table history_imports (
    id ${serial},
    since ${text} not null,
    until ${text} not null,
    kept_since ${text} not null,
    read_through ${text} not null,
    windows integer not null default 0,
    calls ${bigint} not null default 0,
    counted_through ${bigint} not null,
    left_out ${bigint} not null default 0,
    too_old ${bigint},
    state ${text} not null,
    problem ${text},
    started_by ${text} not null,
    started_at ${text} not null,
    ended_at ${text}
  )`,
  `create unique index history_imports_running on history_imports (state) where state = 'RUNNING'`,
  // Readers without imported entries do not read them. The condition is written as in events/eventFilter.ts.
  `create index events_not_imported on events (seq) where source <> 'IMPORTED'`,
];

/** Also version 18: what the audit log is searched by. */
const auditSearch: Migration = () => [
  `create index audit_by_actor on audit (actor, id)`,
  `create index audit_by_action on audit (action, id)`,
  `create index audit_by_subject on audit (subject, id) where subject is not null`,
];

/** Also version 18: the tool call by which an agent did something. `client` is how its client names itself. */
const agentCalls: Migration = ({ text }) => [
  `alter table audit add column via ${text}`,
  `alter table audit add column tool ${text}`,
  `alter table audit add column client ${text}`,
  `create index audit_by_via on audit (via, id) where via is not null`,
];

/**
 * Also version 18: where each destination is in the log, and the events that it did not take. They name events by their positions, so that no event
 * is kept twice.
 */
const destinations: Migration = ({ text, bigint, clustered }) => [
  `create table destinations (
    name ${text} primary key,
    run ${bigint} not null,
    state ${text} not null,
    reason ${text},
    cursor ${text} not null,
    failures integer not null default 0,
    failing_since ${text},
    next_at ${bigint} not null default 0,
    delivered ${bigint} not null default 0,
    skipped ${bigint} not null default 0,
    last_at ${text},
    last_status integer,
    last_answer ${text}
  )`,
  `create table destination_letters (
    destination ${text} not null,
    seq ${bigint} not null,
    attempts integer not null,
    first_at ${text} not null,
    next_at ${bigint},
    last_at ${text} not null,
    last_status integer,
    last_answer ${text},
    primary key (destination, seq)
  )${clustered}`,
  `create index destination_letters_due on destination_letters (destination, next_at)`,
];

/**
 * Also version 18: submissions that call people of a task again. `people` holds keyed hashes, no numbers; `campaign` is the task that the
 * first of them came from.
 */
const callAgain: Migration = ({ text }) => [
  `create table call_again (
    submission_id ${text} primary key references submissions (id) on delete cascade,
    source_task_id ${text} not null,
    campaign ${text} not null,
    filter ${text} not null,
    people ${text} not null,
    people_left_out ${text} not null,
    without_variables integer not null
  )`,
  `create index call_again_by_source on call_again (source_task_id)`,
  `create index call_again_by_campaign on call_again (campaign)`,
];

/**
 * Also version 18: alerts, what their rules know of each subject, and what is told of alerts. They hold no phone number: calls in `state` are keyed
 * hashes.
 */
const alerts: Migration = ({ serial, text, bigint, double, clustered }) => [
  `create table alerts (
    id ${serial},
    rule ${text} not null,
    kind ${text} not null,
    subject ${text} not null,
    task_id ${text},
    assistant_id ${text},
    raised_at ${text} not null,
    value ${double} not null,
    threshold ${double} not null,
    calls ${bigint} not null,
    detail ${text} not null,
    resolved_at ${text},
    ending ${text},
    acknowledged_at ${text},
    acknowledged_by ${text},
    unique (rule, subject, raised_at)
  )`,
  `create index alerts_open on alerts (id) where resolved_at is null`,
  `create index alerts_by_task on alerts (task_id, id) where task_id is not null`,
  `create index alerts_by_end on alerts (resolved_at) where resolved_at is not null`,
  `create table alert_states (
    rule ${text} not null,
    subject ${text} not null,
    counting ${text} not null,
    reader ${text} not null,
    open integer not null,
    at ${text} not null,
    state ${text} not null,
    primary key (rule, subject)
  )${clustered}`,
  `create index alert_states_open on alert_states (rule) where open = 1`,
  `create index alert_states_by_time on alert_states (at)`,
  `create table alert_notices (
    id ${serial},
    alert_id ${bigint} not null references alerts (id) on delete cascade,
    kind ${text} not null,
    unique (alert_id, kind)
  )`,
];

/** Also version 18: when a recording was lost. Null of those that were lost before. */
const lostRecordings: Migration = ({ text }) => [`alter table recordings add column lost_at ${text}`];

/**
 * Version 19: the recipients in fewer and shorter index entries. Calls and people are named by positions of the log, which grow, so that new rows
 * go to the end of a table. The rows are made anew from the log, in a build with a number of its own: a gateway of the version before may still store the cursor of its build. No index has a column of `recipients` that changes.
 */
const compactRecipients: Migration = ({ text, bigint, double, clustered, updated }) => [
  ...["recipient_calls", "recipient_keys", "recipients"].map((table) => `drop table ${table}`),
  `update projections set state = 'RETIRED' where name = 'recipients'`,
  `create table recipient_calls (
    build integer not null, seq ${bigint} not null, session_id ${text} not null, task_id ${text} not null,
    recipient ${bigint} not null, first_seq ${bigint} not null, keys ${text} not null, ended_at ${text} not null,
    outcome ${text} not null, talk_time ${double} not null, reason ${text},
    primary key (build, seq)
  )${clustered}`,
  `create index recipient_calls_by_recipient on recipient_calls (build, recipient, ended_at)`,
  `create table recipient_keys (
    build integer not null, task_id ${text} not null, key ${text} not null, code ${text} not null,
    recipient ${bigint} not null, primary key (build, task_id, key, code, recipient)
  )${clustered}`,
  `create table recipients (
    build integer not null, task_id ${text} not null, recipient ${bigint} not null, outcome ${text} not null,
    attempts integer not null, talk_time ${double} not null, first_at ${text} not null, last_at ${text} not null,
    last_session ${text} not null, last_reason ${text},
    primary key (build, task_id, recipient)
  )${clustered}${updated}`,
];

/** From version 17. */
export const laterVersions: readonly Migration[] = [
  quarantineKinds,
  (dialect) => [
    ...projections(dialect),
    ...historyImports(dialect),
    ...auditSearch(dialect),
    ...destinations(dialect),
    ...callAgain(dialect),
    ...agentCalls(dialect),
    ...alerts(dialect),
    ...lostRecordings(dialect),
  ],
  compactRecipients,
];
