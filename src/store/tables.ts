// The tables as Kysely sees them; migrations.ts makes them. Times are RFC 3339 text in UTC, ids of the service are text,
// true and false are 1 and 0.
import type { Generated } from "kysely";

export interface Tables {
  events: EventsTable;
  event_assistants: { seq: number; assistant_id: string };
  quarantine: QuarantineTable;
  submissions: SubmissionsTable;
  /** Tasks that were met in the log; `waits`: 1 where it is still to be compared with the submissions. */
  met_tasks: { task_id: string; met_at: string; waits: number };
  /** Calls that reconciliation saw going on. */
  open_calls: { session_id: string; start_at: string };
  /** `expires_at`: epoch milliseconds of the database's clock. */
  leases: { name: string; holder: string; expires_at: number };
  /** Readers of the log that outlive a process, each with the place behind which it goes on. */
  readers: { name: string; cursor: string };
  known_tasks: { task_id: string; active_at: string; seen_at: string };
  known_assistants: { assistant_id: string; version_id: string; seen_at: string; data: string };
  recordings: RecordingsTable;
  /** `expire`: epoch milliseconds; the names are those of rate-limiter-flexible, which writes it. */
  spent_points: { key: string; points: number; expire: number | null };
  /** Keyed hashes of what was erased for a person's sake, and must not come back. */
  forgotten: { mark: string };
  settings: { name: string; value: string };
  schema_version: { version: number };
}

export interface EventsTable {
  /** Its place in the log: the order of commits. */
  seq: Generated<number>;
  session_id: string;
  /** From 1. */
  revision: number;
  /** 1 on the newest revision of its call. */
  newest: number;
  source: string;
  /** Of what came, not of what it was merged into: the same delivery again is known by it. */
  delivery_sha256: string;
  received_at: string;
  /** The event's end, or received_at where it tells none: what since and until look at. */
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
  /** The event as it was read and merged, JSON. */
  data: string;
  /** Of the row (checksum.ts); null on one that was written before there were any. */
  checksum: number | null;
}

export interface QuarantineTable {
  id: Generated<number>;
  received_at: string;
  reason: string;
  body_sha256: string;
  body: Uint8Array;
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
  /** Only where it is RESOLVED. */
  task_id: Generated<string | null>;
  /** MARK or COMPARISON; CONTRADICTED where a comparison was taken back. */
  matched_by: Generated<string | null>;
  marked: Generated<number>;
}

export interface RecordingsTable {
  session_id: string;
  /** Of the event that told the URL. */
  revision: number;
  received_at: string;
  status: string;
  /** The service's own, a credential while it lives; null where it is of no more use. */
  url: string | null;
  attempts: number;
  /** Epoch milliseconds of the database's clock: when it may be taken; while somebody has it, when his lease ends. */
  due_at: number;
  /** Who is at work on it. */
  holder: string | null;
  failure: string | null;
  sha256: string | null;
  content_type: string | null;
  bytes: number | null;
  archived_at: string | null;
  /** Counts up over all recordings, in the order of commits, each time one is archived or lost. */
  settled: number | null;
}
