import type { Kysely, RawBuilder, SqlBool } from "kysely";
import { CodedError } from "../../errors.ts";
import type { Tables } from "../tables.ts";

/** Where scans of the log run: apart from what must not wait for them. */
export interface ScanConnections {
  /**
   * Runs one statement; rejects, and the statement is ended, soon after the signal is aborted. Throws QUERY_TOO_COMPLEX where it
   * takes longer than a scan may.
   */
  run<T>(query: (db: Kysely<Tables>) => Promise<T>, left: AbortSignal): Promise<T>;
  /** Stands first among the conditions on `events` of each statement. */
  alive: RawBuilder<SqlBool>;
}

export const scanTooLong = (cause: unknown): CodedError =>
  new CodedError("QUERY_TOO_COMPLEX", "Searching the log took too long: give a filter, or a narrower one.", { cause });
