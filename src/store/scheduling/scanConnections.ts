import type { Kysely, RawBuilder, SqlBool } from "kysely";
import { CodedError } from "../../errors.ts";
import type { Tables } from "../tables.ts";

/** `rowId`: the column that counts the rows of the table that is read. */
export type ScanGuard = (rowId: "events.seq" | "audit.id") => RawBuilder<SqlBool>;

/** Connections for scans of the log, separate from those that writes and short reads use. */
export interface ScanConnections {
  /**
   * Runs one statement. Ends the statement and rejects soon after `signal` is aborted. Throws QUERY_TOO_COMPLEX if the
   * statement exceeds the time limit of a scan.
   */
  run<T>(query: (db: Kysely<Tables>) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** The first condition of each statement: always true, but it ends a scan that was aborted. */
  scanGuard: ScanGuard;
}

export function scanTooLong(cause: unknown): CodedError {
  return new CodedError("QUERY_TOO_COMPLEX", "Searching the log took too long. Add a filter, or a narrower one.", {
    cause,
  });
}
