// The tables as Kysely sees them; migrations.ts makes them. Times are RFC 3339 text in UTC, ids of the service are text.
import type { Generated } from "kysely";

export interface Tables {
  events: EventsTable;
  event_assistants: { seq: number; assistant_id: string };
  quarantine: QuarantineTable;
  submissions: SubmissionsTable;
  settings: { name: string; value: string };
}

export interface EventsTable {
  seq: Generated<number>;
  session_id: string;
  received_at: string;
  /** The event's end, or received_at where it tells none: what since and until look at. */
  ended_at: string;
  direction: string | null;
  hangup_side: string | null;
  answered: number;
  task_id: string | null;
  caller: string | null;
  callee: string | null;
  /** The event as it was read, JSON. */
  data: string;
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
}
