// Erases what is kept of a person: whatever of the log, of quarantine, of recordings and of submissions a matcher knows.
import type { Transaction } from "kysely";
import { chunksOf } from "../sqlHelpers.ts";
import type { Database } from "../database.ts";
import { createErasedKeys, type ErasedKeys } from "./erasedKeys.ts";
import { recordErasure, readHead } from "./purgeEvents.ts";
import { eraseRecordings, tracesOf, type RecordingTraces } from "../recordings/purgeRecordings.ts";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";

export interface ErasureMatch {
  /** An entry of the log, as JSON. */
  event(data: string): boolean;
  /** What a sender sent, byte by byte. */
  delivery(body: Uint8Array): boolean;
  text(text: string): boolean;
}

export interface Erased extends RecordingTraces {
  /** The calls of which any entry matched. */
  sessionIds: string[];
  /** Entries of the log, all revisions of those calls. */
  events: number;
  quarantined: number;
  recordings: number;
}

/** Everything throws STORE_UNAVAILABLE where the database fails. */
export interface Eraser {
  /**
   * One step, with the log: what was appended before is looked at, and what is appended behind is not of these calls. A
   * keyed hash of each stays, so that neither is taken again. Names and keys of submissions that match are made unreadable,
   * and the keys go on counting as used. `first` is called before anything is erased, with what files there may be: where
   * it throws, or the process ends, the same again finds all of it.
   */
  erase(match: ErasureMatch, first: (traces: RecordingTraces) => Promise<void>): Promise<Erased>;
  /** Recordings of calls that were erased before: of a download or a reader that was at work meanwhile. */
  eraseRecordings(sessionIds: readonly string[]): Promise<RecordingTraces>;
  /**
   * Takes what was deleted out of the files: SQLite's are written anew and its log is emptied, PostgreSQL's tables are
   * vacuumed. Takes as long as writing the database does.
   */
  scrub(): Promise<void>;
}

const ROWS = 500;
/** A body may have 256 KiB. */
const BODIES = 50;

export function createEraser(database: Database): Eraser {
  const { db } = database;
  const forgotten = createErasedKeys();

  /** The calls of the rows behind `after` that match, and how far was looked. */
  async function findCalls(trx: Tx, after: number, match: ErasureMatch, into: Set<string>): Promise<number> {
    for (let place = after; ;) {
      const page = trx.selectFrom("events").select(["seq", "session_id", "data"]).where("seq", ">", place);
      const rows = await page.orderBy("seq").limit(ROWS).execute();
      for (const { session_id, data } of rows) if (match.event(data)) into.add(session_id);
      const last = rows.at(-1);
      if (!last) return place;
      place = last.seq;
    }
  }
  async function findDeliveries(trx: Tx, after: number, match: ErasureMatch, into: Set<number>): Promise<number> {
    for (let place = after; ;) {
      const page = trx.selectFrom("quarantine").select(["id", "body"]).where("id", ">", place);
      const rows = await page.orderBy("id").limit(BODIES).execute();
      for (const { id, body } of rows) if (match.delivery(body)) into.add(id);
      const last = rows.at(-1);
      if (!last) return place;
      place = last.id;
    }
  }

  return {
    erase: (match, first) =>
      guarded(async () => {
        const calls = new Set<string>();
        const deliveries = new Set<number>();
        // The most of it while others append, and only what came since under the lock of the log.
        const lookedAt = await findCalls(db, 0, match, calls);
        const lookedThrough = await findDeliveries(db, 0, match, deliveries);
        await first(await tracesOf(db, [...calls]));
        return database.append(async (trx) => {
          await findCalls(trx, lookedAt, match, calls);
          await findDeliveries(trx, lookedThrough, match, deliveries);
          const sessionIds = [...calls];
          await blankSubmissions(trx, forgotten, match);
          const { events, ...recordings } = await eraseCalls(trx, forgotten, sessionIds);
          const quarantined = await eraseDeliveries(trx, forgotten, [...deliveries]);
          return { sessionIds, events, quarantined, ...recordings };
        });
      }),
    eraseRecordings: (sessionIds) => guarded(() => db.transaction().execute((trx) => eraseRecordings(trx, sessionIds))),
    scrub: () => guarded(() => database.scrub()),
  };
}

type Tx = Database["db"] | Transaction<Tables>;

async function eraseCalls(trx: Transaction<Tables>, forgotten: ErasedKeys, sessionIds: readonly string[]) {
  const last = await readHead({ db: trx });
  let events = 0;
  for (const some of chunksOf(sessionIds)) {
    await forgotten.add(trx, "call", some);
    const gone = await trx.deleteFrom("events").where("session_id", "in", some).executeTakeFirst();
    events += Number(gone.numDeletedRows);
    await trx.deleteFrom("open_calls").where("session_id", "in", some).execute();
  }
  // Though none was in the log: gateways remember other things than calls.
  await recordErasure(trx, last);
  return { events, ...(await eraseRecordings(trx, sessionIds)) };
}

async function eraseDeliveries(trx: Transaction<Tables>, forgotten: ErasedKeys, ids: readonly number[]) {
  let quarantined = 0;
  for (const some of chunksOf(ids)) {
    const gone = await trx.deleteFrom("quarantine").where("id", "in", some).returning("body_sha256").execute();
    await forgotten.add(
      trx,
      "delivery",
      gone.map(({ body_sha256 }) => body_sha256),
    );
    quarantined += gone.length;
  }
  return quarantined;
}

/** They hold no numbers but in what a viewer chose to call them. */
async function blankSubmissions(trx: Transaction<Tables>, forgotten: ErasedKeys, match: ErasureMatch): Promise<void> {
  const rows = await trx.selectFrom("submissions").select(["id", "name", "idempotency_key"]).execute();
  for (const { id, name, idempotency_key: key } of rows) {
    if (!match.text(name) && !match.text(key)) continue;
    const blank = {
      ...(match.text(name) ? { name: "(forgotten)" } : {}),
      ...(match.text(key) ? { idempotency_key: await forgotten.hashOf(trx, "key", key) } : {}),
    };
    await trx.updateTable("submissions").set(blank).where("id", "=", id).execute();
  }
}
