// Scans of a SQLite file: one at a time, in a thread and on a connection of their own, which reads what was committed when each
// of them began. Whoever writes does not wait for them.
import { Kysely, sql } from "kysely";
import { scanTooLong, type ScanConnections } from "../scheduling/scanConnections.ts";
import { isInterrupted, openScans } from "./sqlite.ts";
import type { Tables } from "../tables.ts";

const LONGEST_MS = 10_000;
/** A scan keeps the log of the file from beginning anew. Between two scans it gets the chance, this often. */
const CHECKPOINT_MS = 1000;

export interface FileScans extends ScanConnections, AsyncDisposable {
  /** Does what no scan may stand in the way of: the one that runs is ended, and begins anew afterwards. */
  without<T>(work: () => Promise<T>): Promise<T>;
}

/** `checkpoint`: moves what is in the log of the file into the file, as far as it can. */
export function scanFile(file: string, checkpoint: () => Promise<void>): FileScans {
  const dialect = openScans(file, LONGEST_MS);
  const db = new Kysely<Tables>({ dialect });
  let isClosed = false;
  let checkpointAt = 0;
  let running: Promise<unknown> = Promise.resolve();
  const pause: { ends: Promise<void> | null } = { ends: null };

  async function attempt<T>(query: (db: Kysely<Tables>) => Promise<T>, left: AbortSignal): Promise<T> {
    left.throwIfAborted();
    if (isClosed) throw new Error("the database is closed");
    dialect.begin();
    left.addEventListener("abort", dialect.interrupt, { once: true });
    const answer = query(db);
    running = answer.catch(() => undefined);
    try {
      return await answer;
    } finally {
      left.removeEventListener("abort", dialect.interrupt);
    }
  }

  return {
    // Once in 1,024 rows: it costs a tenth of the cheapest count.
    scanGuard: sql`case when events.seq & 1023 then 1 else alive() end`,
    async run(query, left) {
      for (;;) {
        while (pause.ends) await pause.ends;
        if (performance.now() >= checkpointAt) {
          // Where the disk does not do it, whoever writes is told.
          await checkpoint().catch(() => undefined);
          checkpointAt = performance.now() + CHECKPOINT_MS;
          continue;
        }
        try {
          return await attempt(query, left);
        } catch (error) {
          left.throwIfAborted();
          if (!isInterrupted(error)) throw error;
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
