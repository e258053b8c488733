// Runs scans of a SQLite file one at a time, in their own thread. A scan sees the rows that were committed when it began, and
// writers do not wait for it.
import { Kysely, sql } from "kysely";
import { noStoreObserver } from "../storeObserver.ts";
import { scanTooLong, type ScanConnections } from "../scheduling/scanConnections.ts";
import { wasInterrupted, openScans } from "./sqlite.ts";
import type { Tables } from "../tables.ts";

const MAX_SCAN_MS = 10_000;
/** A running scan prevents SQLite from restarting the write-ahead log. So a checkpoint runs between two scans, this often. */
const CHECKPOINT_MS = 1000;

export interface FileScans extends ScanConnections, AsyncDisposable {
  /** Does work that no scan may disturb: ends the running scan, and starts it again afterwards. */
  without<T>(work: () => Promise<T>): Promise<T>;
}

/** `checkpoint`: moves the write-ahead log's content into the file, as far as possible. */
export function scanFile(file: string, checkpoint: () => Promise<void>, observer = noStoreObserver): FileScans {
  const dialect = openScans(file, MAX_SCAN_MS, observer);
  const db = new Kysely<Tables>({ dialect });
  let isClosed = false;
  let checkpointAt = 0;
  let running: Promise<unknown> = Promise.resolve();
  const pause: { ends: Promise<void> | null } = { ends: null };

  async function attempt<T>(query: (db: Kysely<Tables>) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (isClosed) throw new Error("the database is closed");
    dialect.begin();
    signal.addEventListener("abort", dialect.interrupt, { once: true });
    const answer = query(db);
    running = answer.catch(() => undefined);
    try {
      return await answer;
    } finally {
      signal.removeEventListener("abort", dialect.interrupt);
    }
  }

  return {
    // Calls alive() once in 1,024 rows, which costs a tenth of the cheapest count.
    scanGuard: (rowId) => sql`case when ${sql.ref(rowId)} & 1023 then 1 else alive() end`,
    async run(query, signal) {
      for (;;) {
        while (pause.ends) await pause.ends;
        if (performance.now() >= checkpointAt) {
          // If the disk fails, the next write reports it.
          await checkpoint().catch(() => undefined);
          checkpointAt = performance.now() + CHECKPOINT_MS;
          continue;
        }
        try {
          return await attempt(query, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!wasInterrupted(error)) throw error;
          if (!pause.ends) throw scanTooLong(error);
        }
      }
    },
    async without(work) {
      while (pause.ends) await pause.ends;
      const done = Promise.withResolvers<void>();
      pause.ends = done.promise;
      dialect.interrupt();
      await running;
      try {
        return await work();
      } finally {
        pause.ends = null;
        done.resolve();
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      dialect.interrupt();
      await db.destroy();
    },
  };
}
