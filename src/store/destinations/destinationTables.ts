// The columns of the tables of destinations.
import type { Generated } from "kysely";

/** Where a destination is in the log (destinationStore.ts). Times `next_at` are epoch milliseconds of the database's clock. */
export interface DestinationsTable {
  name: string;
  /** Changes with each pause, resumption and replay: a gateway that works by an earlier one stops. */
  run: number;
  state: string;
  /** Why it is disabled. */
  reason: Generated<string | null>;
  /** Events up to here were delivered, left out, or are letters. Empty: it has no place in the log. */
  cursor: string;
  /** Attempts that failed one after the other. */
  failures: Generated<number>;
  failing_since: Generated<string | null>;
  next_at: Generated<number>;
  delivered: Generated<number>;
  /** Events that could not be sent, because the log or the bodies of webhooks no longer had them. */
  skipped: Generated<number>;
  last_at: Generated<string | null>;
  last_status: Generated<number | null>;
  last_answer: Generated<string | null>;
}

/** An event that a destination has not taken, and that others have overtaken. */
export interface DestinationLettersTable {
  destination: string;
  seq: number;
  attempts: number;
  first_at: string;
  /** Null: no further attempt is made by itself. */
  next_at: number | null;
  last_at: string;
  last_status: number | null;
  last_answer: string | null;
}
