// Scans of a PostgreSQL: on a few connections of the pool, whose server is told when nobody waits for one any more.
import { setTimeout as pause } from "node:timers/promises";
import { sql, type Kysely } from "kysely";
import { scanTooLong, type ScanConnections } from "../scheduling/scanConnections.ts";
import type { Tables } from "../tables.ts";

/** Of a statement that was cancelled, by us or by its timeout. */
const QUERY_CANCELED = "57014";
const CANCEL_AGAIN_MS = 100;

/** Again and again, for the first may come before the statement. Where the server cannot be told, its timeout ends the scan. */
async function cancelUntil(db: Kysely<Tables>, pid: number | undefined, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await sql`select pg_cancel_backend(${pid})`.execute(db).catch(() => undefined);
    await pause(CANCEL_AGAIN_MS, undefined, { signal: over }).catch(() => undefined);
  }
}

export function scanPostgres(db: Kysely<Tables>): ScanConnections {
  return {
    scanGuard: sql`true`,
    run: (query, left) =>
      db.connection().execute(async (own) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(own);
        left.throwIfAborted();
        const over = new AbortController();
        let cancelled = Promise.resolve();
        const cancel = () => {
          cancelled = cancelUntil(db, rows[0]?.pid, over.signal);
        };
        left.addEventListener("abort", cancel, { once: true });
        try {
          return await query(own);
        } catch (error) {
          left.throwIfAborted();
          throw (error as { code?: unknown }).code === QUERY_CANCELED ? scanTooLong(error) : error;
        } finally {
          over.abort();
          left.removeEventListener("abort", cancel);
          // Given back before, the connection might be another's by then.
          await cancelled;
        }
      }),
  };
}
