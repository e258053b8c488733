// Runs scans of PostgreSQL on connections of the pool. Cancels the statement when nobody waits for its scan any more.
import { setTimeout as pause } from "node:timers/promises";
import { sql, type Kysely } from "kysely";
import { scanTooLong, type ScanConnections } from "../scheduling/scanConnections.ts";
import type { Tables } from "../tables.ts";

/** The error code of a statement that pg_cancel_backend or its timeout ended. */
const QUERY_CANCELED = "57014";
const CANCEL_AGAIN_MS = 100;

/** Repeats the cancellation, because the first one may reach the server before the statement. The timeout is the last resort. */
async function cancelUntil(db: Kysely<Tables>, pid: number | undefined, done: AbortSignal): Promise<void> {
  while (!done.aborted) {
    await sql`select pg_cancel_backend(${pid})`.execute(db).catch(() => undefined);
    await pause(CANCEL_AGAIN_MS, undefined, { signal: done }).catch(() => undefined);
  }
}

export function scanPostgres(db: Kysely<Tables>): ScanConnections {
  return {
    scanGuard: () => sql`true`,
    run: (query, signal) =>
      db.connection().execute(async (own) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(own);
        signal.throwIfAborted();
        const over = new AbortController();
        let cancelled = Promise.resolve();
        const cancel = () => {
          cancelled = cancelUntil(db, rows[0]?.pid, over.signal);
        };
        signal.addEventListener("abort", cancel, { once: true });
        try {
          return await query(own);
        } catch (error) {
          signal.throwIfAborted();
          throw (error as { code?: unknown }).code === QUERY_CANCELED ? scanTooLong(error) : error;
        } finally {
          over.abort();
          signal.removeEventListener("abort", cancel);
          // Wait before the connection goes back to the pool: a late cancellation would hit another query.
          await cancelled;
        }
      }),
  };
}
