// The tables' columns, for Kysely. migrations/ creates them. Times are RFC 3339 text in UTC, the service's ids are text, and
// booleans are 1 and 0.
import type { Generated } from "kysely";
import type { AlertNoticesTable, AlertStatesTable, AlertsTable } from "./alerts/alertTables.ts";
import type { AuditTable } from "./audit/auditTable.ts";
import type { DestinationLettersTable, DestinationsTable } from "./destinations/destinationTables.ts";

export interface Tables {
  events: EventsTable;
  event_assistants: { seq: number; assistant_id: string };
  /** Accepted deliveries as they came: those of one commit in a frame (rawFrame.ts). `first_seq`: the position of its first entry. */
  raw_deliveries: { first_seq: number; received_at: string; bodies: Uint8Array };
  quarantine: QuarantineTable;
  submissions: SubmissionsTable;
  task_proposals: TaskProposalsTable;
  call_again: CallAgainTable;
  /** Tasks that were seen in the log, and when. `waits`: the candidates for the task's comparison (taskComparisonStore.ts). */
  met_tasks: { task_id: string; met_at: string; waits: number };
  /** Calls that were in progress when reconciliation last searched. */
  open_calls: { session_id: string; start_at: string };
  /** `expires_at`: epoch milliseconds of the database's clock. */
  leases: { name: string; holder: string; expires_at: number };
  /** Durable readers of the log, each with the cursor after which it continues. */
  readers: { name: string; cursor: string };
  /** See projections/projectionStore.ts. */
  projections: { name: string; build: number; version: string; state: string };
  recipient_calls: RecipientCallsTable;
  /** The keys of the calls of a recipient (projections/recipientPeople.ts). */
  recipient_keys: { build: number; task_id: string; key: string; code: string; recipient: number };
  recipients: RecipientsTable;
  known_tasks: { task_id: string; active_at: string; seen_at: string };
  known_assistants: { assistant_id: string; version_id: string; seen_at: string; data: string };
  known_lines: { line_id: string; seen_at: string; from_task: number; from_submission: number };
  recordings: RecordingsTable;
  /** `expire`: epoch milliseconds of the database's clock. */
  spent_points: { key: string; points: number; expire: number | null };
  /** Keyed hashes of erased calls, deliveries and keys, so that they are not accepted again. */
  forgotten: { mark: string };
  audit: AuditTable;
  /** 53 bits of a keyed digest. */
  do_not_call: { digest: number };
  history_imports: HistoryImportsTable;
  destinations: DestinationsTable;
  alerts: AlertsTable;
  alert_states: AlertStatesTable;
  alert_notices: AlertNoticesTable;
  destination_letters: DestinationLettersTable;
  viewer_usage: ViewerUsageTable;
  settings: { name: string; value: string };
  schema_version: { version: number };
}

export interface EventsTable {
  /** The position in the log: the order of commits. */
  seq: Generated<number>;
  session_id: string;
  /** Counts from 1 for each call. */
  revision: number;
  /** 1 for the newest revision of a call; -1 for an entry that does not show the end of its call (notEndedRows.ts); else 0. */
  newest: number;
  source: string;
  /** Hash of the delivery as it came, so that a repeated delivery is recognised. */
  delivery_sha256: string;
  received_at: string;
  /** The call's end, or received_at if the event has none. Filters by time use it. */
  ended_at: string;
  direction: string | null;
  hangup_side: string | null;
  hangup_reason: string | null;
  answered: number;
  duration: number | null;
  billsec: number | null;
  task_id: string | null;
  caller: string | null;
  callee: string | null;
  /** The parsed and merged event, as JSON. */
  data: string;
  /** See checksum.ts. Null for rows of versions without checksums. */
  checksum: number | null;
}

export interface QuarantineTable {
  id: Generated<number>;
  received_at: string;
  reason: string;
  body_sha256: string;
  body: Uint8Array;
  /** Why it is here: QuarantineKind of quarantineStore.ts. */
  kind: Generated<string>;
  /** The charset that the sender declared, as it wrote it. Null: none, or an earlier version received it. */
  charset: string | null;
  /** The call of an event that does not end it. */
  session_id: string | null;
}

export interface SubmissionsTable {
  id: string;
  viewer: string;
  idempotency_key: string;
  input_sha256: string;
  status: string;
  name: string;
  assistant_id: string;
  number_count: number;
  submitted_at: string;
  /** Set only if the status is RESOLVED. */
  task_id: Generated<string | null>;
  /** MARK (by the correlation token) or COMPARISON. CONTRADICTED: a comparison was revoked. */
  matched_by: Generated<string | null>;
  /** 1 if the numbers were sent with a correlation token. */
  marked: Generated<number>;
  /** Numbers of the input that were not sent, because they are in the never-call list. */
  left_out: Generated<number>;
  /** When an approved proposal was sent. Null: it was sent when it was submitted, or not yet. */
  sent_at: Generated<string | null>;
}

/** A submission that waits for an approval, or waited for one. */
/** A submission that calls people of a task again. */
export interface CallAgainTable {
  submission_id: string;
  /** The task whose people it calls. */
  source_task_id: string;
  /** The task that its source came from by calling again, and so on; or the source itself. */
  campaign: string;
  /** Which people, as JSON (RecipientFilter). */
  filter: string;
  /** Keyed hashes of the people (tasks/callAgain/campaignPeople.ts). */
  people: string;
  /** Counts of people by the reason why they are left out, as JSON (LeftOut[]). */
  people_left_out: string;
  without_variables: number;
}

export interface TaskProposalsTable {
  submission_id: string;
  expires_at: string;
  /** What an approver sees of the input, as JSON (ProposalSummary). It holds no numbers. */
  summary: string;
  /** The policy of the viewer that proposed it, as JSON (ProposerPolicy). */
  policy: string;
  /** See proposalInput.ts. Null once it is decided and its outcome is stored. */
  input: string | null;
  /** Identifies the latest approval, so that an earlier one cannot take it back. */
  attempt: Generated<string | null>;
  decided_at: Generated<string | null>;
  /** The viewer that approved or declined it. Null if it expired. */
  decided_by: Generated<string | null>;
  decline_reason: Generated<string | null>;
}

/** An import of calls that ended earlier (historyImportStore.ts). Times that are not of the import itself are of calls. */
export interface HistoryImportsTable {
  id: Generated<number>;
  /** The range as it was asked for, its end cut to what is not reconciliation's. */
  since: string;
  until: string;
  /** `since`, or the oldest time that the retention keeps. */
  kept_since: string;
  /** Everything from kept_since to here was read. */
  read_through: string;
  windows: Generated<number>;
  calls: Generated<number>;
  /** Entries of the log up to here are counted in `calls`. */
  counted_through: number;
  left_out: Generated<number>;
  /** Null: not counted yet. */
  too_old: Generated<number | null>;
  state: string;
  problem: Generated<string | null>;
  started_by: string;
  started_at: string;
  ended_at: Generated<string | null>;
}

/** What a viewer sent in the hour and in the day that begin at these instants. */
export interface ViewerUsageTable {
  viewer: string;
  hour_start: string;
  hour_tasks: number;
  hour_numbers: number;
  day_start: string;
  day_tasks: number;
  day_numbers: number;
}

export interface RecordingsTable {
  session_id: string;
  /** The revision of the event that had the URL. */
  revision: number;
  received_at: string;
  status: string;
  /** The service's link. It works like a credential until it expires. Null once it is not needed. */
  url: string | null;
  attempts: number;
  /** When the job may be claimed, or when its lease ends; epoch milliseconds of the database's clock. */
  due_at: number;
  /** The gateway that works on it. */
  holder: string | null;
  failure: string | null;
  sha256: string | null;
  content_type: string | null;
  bytes: number | null;
  archived_at: string | null;
  /** When it was lost. Null: it is not, or a version before 18 lost it. */
  lost_at: string | null;
  /** Increases over all recordings, in the order of commits, each time one is archived or lost. */
  settled: number | null;
}

/** What the newest revision of a call contributes to its recipient. */
export interface RecipientCallsTable {
  build: number;
  /** The position of that revision. */
  seq: number;
  session_id: string;
  task_id: string;
  recipient: number;
  /** The position of the call's oldest known revision, which stays. */
  first_seq: number;
  /** As textOfKeys of projections/recipientPeople.ts writes them. */
  keys: string;
  ended_at: string;
  outcome: string;
  talk_time: number;
  reason: string | null;
}

/** A person in a task. */
export interface RecipientsTable {
  build: number;
  task_id: string;
  /** Names it: `first_seq` of a call that it has or had, mostly the least. */
  recipient: number;
  outcome: string;
  attempts: number;
  talk_time: number;
  first_at: string;
  last_at: string;
  last_session: string;
  last_reason: string | null;
}
