import type { Kysely, RawBuilder, SqlBool } from "kysely";
import { CodedError } from "../../errors.ts";
import type { Tables } from "../tables.ts";

/** Connections for scans of the log, separate from those that writes and short reads use. */
export interface ScanConnections {
  /**
   * Runs one statement. Ends the statement and rejects soon after `signal` is aborted. Throws QUERY_TOO_COMPLEX if the
   * statement exceeds the time limit of a scan.
   */
  run<T>(query: (db: Kysely<Tables>) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** The first condition on `events` in each statement: always true, but it ends a scan that was aborted. */
  scanGuard: RawBuilder<SqlBool>;
}

export function scanTooLong(cause: unknown): CodedError {
  return new CodedError("QUERY_TOO_COMPLEX", "Searching the log took too long. Add a filter, or a narrower one.", {
    cause,
  });
}
