// Keeps accepted deliveries as they came, for some days, so that they can be read again after the parser was mended. The log's
// writers write them in the commit of their entries (eventWriter.ts).
import type { Kysely } from "kysely";
import { chunksOf } from "../sqlHelpers.ts";
import type { Database } from "../database.ts";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";
import { bodiesOf, type RawBody } from "./rawFrame.ts";

/** A call with the deliveries of it that are kept. */
export interface RawCall {
  sessionId: string;
  /** In the order of the log. `revision`: the entry that the delivery brought. */
  deliveries: { revision: number; body: Uint8Array }[];
}

export interface RawPage {
  /** The calls of the deliveries that were read, each with all of its kept deliveries. */
  calls: RawCall[];
  /** The number of deliveries that were read. */
  read: number;
  /** The number of frames that the disk has damaged. */
  damaged: number;
  /** The position up to which deliveries were read. */
  through: number;
  hasMore: boolean;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface RawDeliveryStore {
  /** The body that brought the entry at a position. Null: it is not kept. */
  at(seq: number): Promise<Uint8Array | null>;
  /** The deliveries of entries after a position: of twenty commits, and none of an erased entry. */
  page(after: number): Promise<RawPage>;
  /** Deletes up to `limit` of the oldest frames that were received before an instant. Returns their number. */
  purge(receivedBefore: string, limit: number): Promise<number>;
}

const FRAMES_PER_PAGE = 20;

export function createRawDeliveryStore({ db }: Pick<Database, "db">): RawDeliveryStore {
  /** All kept deliveries of the calls of these entries. */
  async function callsOf(found: readonly RawBody[]): Promise<RawCall[]> {
    const bodies = new Map(found.map(({ seq, body }) => [seq, body]));
    const calls = new Map<string, RawCall>();
    for (const some of chunksOf([...bodies.keys()])) {
      const sessionIds = db.selectFrom("events").select("session_id").where("seq", "in", some);
      const entries = db.selectFrom("events").select(["seq", "session_id", "revision"]);
      const rows = await entries.where("session_id", "in", sessionIds).orderBy("seq").execute();
      for (const { seq, session_id: sessionId, revision } of rows) {
        const call = calls.getOrInsertComputed(sessionId, () => ({ sessionId, deliveries: [] }));
        if (call.deliveries.some((each) => each.revision === revision)) continue;
        const body = bodies.get(seq) ?? (await readBody(db, seq));
        if (body) call.deliveries.push({ revision, body });
      }
    }
    return [...calls.values()];
  }

  return {
    at: (seq) =>
      guarded(async () => {
        const entry = db.selectFrom("events").select("seq").where("seq", "=", seq);
        return (await entry.executeTakeFirst()) ? await readBody(db, seq) : null;
      }),
    page: (after) =>
      guarded(async () => {
        const first = (await frameAt(db, after + 1))?.first_seq ?? 0;
        const rows = await db
          .selectFrom("raw_deliveries")
          .select(["first_seq", "bodies"])
          .where("first_seq", ">=", first)
          .orderBy("first_seq")
          .limit(FRAMES_PER_PAGE)
          .execute();
        const frames = rows.map(({ first_seq, bodies }) => bodiesOf(first_seq, bodies));
        const found = frames.flatMap((frame) => frame ?? []).filter(({ seq }) => seq > after);
        const last = rows.at(-1)?.first_seq ?? 0;
        const next = await nextFrame(db, last);
        return {
          calls: await callsOf(found),
          read: found.length,
          damaged: frames.filter((frame) => frame === null).length,
          // The next page begins with another frame, also where nobody knows where a damaged one ends.
          through: next ? next.first_seq - 1 : Math.max(after, last, found.at(-1)?.seq ?? 0),
          hasMore: next !== undefined,
        };
      }),
    purge: (receivedBefore, limit) =>
      guarded(async () => {
        const kept = db.selectFrom("raw_deliveries").select(["first_seq", "received_at"]);
        const oldest = await kept.orderBy("first_seq").limit(limit).execute();
        const firstKept = oldest.findIndex((row) => row.received_at >= receivedBefore);
        const last = (firstKept === -1 ? oldest : oldest.slice(0, firstKept)).at(-1);
        if (!last) return 0;
        const purged = db.deleteFrom("raw_deliveries").where("first_seq", "<=", last.first_seq);
        return Number((await purged.executeTakeFirstOrThrow()).numDeletedRows);
      }),
  };
}

/** The last frame that begins at or before a position: if the position's body is kept, it is in this one. */
export function frameAt(db: Kysely<Tables>, seq: number) {
  const frames = db.selectFrom("raw_deliveries").selectAll().where("first_seq", "<=", seq);
  return frames.orderBy("first_seq", "desc").limit(1).executeTakeFirst();
}

function nextFrame(db: Kysely<Tables>, first: number) {
  const later = db.selectFrom("raw_deliveries").select("first_seq").where("first_seq", ">", first);
  return later.orderBy("first_seq").limit(1).executeTakeFirst();
}

async function readBody(db: Kysely<Tables>, seq: number): Promise<Uint8Array | null> {
  const frame = await frameAt(db, seq);
  if (!frame) return null;
  return bodiesOf(frame.first_seq, frame.bodies)?.find((each) => each.seq === seq)?.body ?? null;
}
