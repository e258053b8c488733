// Adds rows to the log: one transaction, in as few exchanges with the database as it takes, by statements whose text is the
// same for any number of rows, so that the database reads it once.
import type { Kysely, Selectable, Transaction } from "kysely";
import type { EventsTable, Tables } from "../tables.ts";

/**
 * A transaction that appends to the log. Such transactions commit one after the other, whichever gateway they are of, so
 * that the order of `seq` is the order of commits: on PostgreSQL by an advisory lock that is held until the commit, on
 * SQLite because there is one connection. Listeners are woken once it is committed.
 */
export type Append = <T>(write: (trx: Transaction<Tables>) => Promise<T>) => Promise<T>;

/** The same for the log's own rows, as fast as they come. */
export interface LogWriter {
  /**
   * Reads what is known of these calls, and writes what `decide` makes of it: on disk when it resolves, and nothing of it
   * where it throws. What `decide` asks by `trx` is answered inside the transaction. It may be called twice, first with what
   * is probably known: what it makes of that is written only where it is so.
   */
  write(
    sessionIds: readonly string[],
    decide: (known: KnownCalls, trx: Kysely<Tables>) => Promise<NewRows | null>,
  ): Promise<void>;
}

export interface KnownCalls {
  /** All of those calls, each call's in their order. */
  revisions: readonly Selectable<EventsTable>[];
  /** Whether anything was ever erased for a person's sake. */
  hasErasures: boolean;
  /** The place that was given last. */
  lastSeq: number;
}

export type FullRow = Selectable<EventsTable>;

export interface NewRows {
  /** Their places count on from the last one. */
  events: readonly FullRow[];
  assistants: readonly Tables["event_assistants"][];
  /** The calls of which another revision is the newest now. */
  revised: readonly string[];
}

/** In the order in which rows are written. */
export const EVENT_COLUMNS = [
  "seq",
  "session_id",
  "revision",
  "newest",
  "source",
  "delivery_sha256",
  "received_at",
  "ended_at",
  "direction",
  "hangup_side",
  "hangup_reason",
  "answered",
  "duration",
  "billsec",
  "task_id",
  "caller",
  "callee",
  "data",
  "checksum",
] as const satisfies readonly (keyof EventsTable)[];
