// The port for appending to the log. Both implementations use one transaction, few exchanges with the database, and statements
// whose text is the same for any number of rows, so that the database parses them once.
import type { Kysely, Selectable, Transaction } from "kysely";
import type { EventsTable, Tables } from "../tables.ts";

/**
 * Runs a transaction that appends to the log, and notifies the listeners after its commit. These transactions of all gateways
 * commit one after the other, so that the order of `seq` is the order of commits. PostgreSQL uses an advisory lock that is held
 * until the commit; SQLite has one connection.
 */
export type Append = <T>(write: (trx: Transaction<Tables>) => Promise<T>) => Promise<T>;

/** Appends the log's own rows with the least number of exchanges. */
export interface EventWriter {
  /**
   * Reads the known revisions of these calls and writes the rows that `decide` returns. The rows are on disk when it resolves; none
   * is written if it throws. Queries on `trx` run inside the transaction. `decide` may be called twice: first with a guess of the
   * known revisions, whose rows are written only if the guess was right.
   */
  write(
    sessionIds: readonly string[],
    decide: (known: KnownCalls, trx: Kysely<Tables>) => Promise<NewRows | null>,
  ): Promise<void>;
  /**
   * Tells that this position was given out. If the log later ends before it, the database lost events in a failover: the next
   * write skips positions, so that none is given to two events. Does nothing on SQLite, which has no failover.
   */
  saw(position: number): void;
}

export interface KnownCalls {
  /** All revisions of those calls, in order for each call. */
  revisions: readonly Selectable<EventsTable>[];
  /** True if anything was ever erased. */
  hasErasures: boolean;
  /** The log's last position. */
  lastSeq: number;
}

export type FullRow = Selectable<EventsTable>;

export interface NewRows {
  /** Their positions continue after the last one. */
  events: readonly FullRow[];
  assistants: readonly Tables["event_assistants"][];
  /** The calls that get a new newest revision. */
  revised: readonly string[];
  raw: readonly RawFrame[];
}

/** The bodies of some of the events, not yet compressed (rawFrame.ts). */
export interface RawFrame {
  first_seq: number;
  received_at: string;
  frame: Uint8Array;
}

/** The columns in the order in which rows are written. */
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
