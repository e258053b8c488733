// Scans of a PostgreSQL: on a few connections of the pool, whose server is told when nobody waits for one any more.
import { setTimeout as pause } from "node:timers/promises";
import { sql, type Kysely } from "kysely";
import { scanTooLong, type ScanConnections } from "./scanConnections.ts";
import type { Tables } from "./tables.ts";

/** Of a statement that was cancelled, by us or by its timeout. */
const QUERY_CANCELED = "57014";
const CANCEL_AGAIN_MS = 100;

export function scanPostgres(db: Kysely<Tables>): ScanConnections {
  return {
    alive: sql`true`,
    run: (query, left) =>
      db.connection().execute(async (own) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(own);
        left.throwIfAborted();
        let isDone = false;
        let cancelled: Promise<void> | null = null;
        const cancel = () => {
          cancelled = (async () => {
            // Again, for the first may come before the statement. Where the server cannot be told, its timeout ends the scan.
            while (!isDone) {
              await sql`select pg_cancel_backend(${rows[0]?.pid})`.execute(db).catch(() => undefined);
              if (!isDone) await pause(CANCEL_AGAIN_MS);
            }
          })();
        };
        left.addEventListener("abort", cancel, { once: true });
        try {
          return await query(own);
        } catch (error) {
          left.throwIfAborted();
          throw (error as { code?: unknown }).code === QUERY_CANCELED ? scanTooLong(error) : error;
        } finally {
          isDone = true;
          left.removeEventListener("abort", cancel);
          // Given back before, the connection might be another's by then.
          await cancelled;
        }
      }),
  };
}
