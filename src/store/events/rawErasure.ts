// Erases raw deliveries: those of erased entries, and those that hold the number in a part that the parser does not read.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import { bodiesOf, compressLater, frameOf } from "./rawFrame.ts";
import { frameAt } from "./rawDeliveryStore.ts";

/** Frames that are read at once; each has 1 MiB at most. */
const FRAMES_PER_PAGE = 20;

/**
 * Adds the positions of matching bodies to `into`, and those of frames that cannot be read: nobody knows what they hold. Reads the
 * frames after a position. Returns the last frame that was read.
 */
export async function findRawDeliveries(
  db: Kysely<Tables>,
  after: number,
  matches: (body: Uint8Array) => boolean,
  into: Set<number>,
): Promise<number> {
  for (let position = after; ;) {
    const page = db.selectFrom("raw_deliveries").select(["first_seq", "bodies"]).where("first_seq", ">", position);
    const frames = await page.orderBy("first_seq").limit(FRAMES_PER_PAGE).execute();
    for (const frame of frames) {
      for (const seq of positionsIn(frame, matches)) into.add(seq);
      // Searching a frame takes milliseconds, and other requests run in between.
      await nextTurn();
    }
    const last = frames.at(-1);
    if (!last) return position;
    position = last.first_seq;
  }
}

function positionsIn(
  { first_seq, bodies }: { first_seq: number; bodies: Uint8Array },
  matches: (body: Uint8Array) => boolean,
): number[] {
  const found = bodiesOf(first_seq, bodies);
  return found === null ? [first_seq] : found.filter(({ body }) => matches(body)).map(({ seq }) => seq);
}

interface HitFrame {
  first_seq: number;
  received_at: string;
  /** Bodies that stay. */
  kept: { seq: number; body: Uint8Array }[];
  /** How many do not. */
  hits: number;
}

/** The frames that hold bodies of these entries. */
async function* framesOf(db: Kysely<Tables>, seqs: ReadonlySet<number>): AsyncGenerator<HitFrame> {
  let [through, last] = [0, 0];
  for (const seq of [...seqs].toSorted((one, other) => one - other)) {
    if (seq <= through) continue;
    const frame = await frameAt(db, seq);
    // An entry without a body is behind the frame before it.
    if (!frame || frame.first_seq === last) continue;
    const { first_seq, received_at, bodies } = frame;
    last = first_seq;
    const found = bodiesOf(first_seq, bodies);
    const kept = (found ?? []).filter((each) => !seqs.has(each.seq));
    through = found?.at(-1)?.seq ?? seq;
    const hits = (found?.length ?? 1) - kept.length;
    if (hits > 0) yield { first_seq, received_at, kept, hits };
  }
}

/** Erases the bodies of these entries; the other bodies of their frames stay. Returns their number. */
export async function eraseRawDeliveries(trx: Kysely<Tables>, seqs: ReadonlySet<number>): Promise<number> {
  let erased = 0;
  for await (const { first_seq, received_at, kept, hits } of framesOf(trx, seqs)) {
    erased += hits;
    await trx.deleteFrom("raw_deliveries").where("first_seq", "=", first_seq).execute();
    const [first] = kept;
    if (!first) continue;
    const smaller = { first_seq: first.seq, received_at, bodies: await compressLater(frameOf(kept)) };
    await trx.insertInto("raw_deliveries").values(smaller).execute();
  }
  return erased;
}

/** How many bodies eraseRawDeliveries would erase. */
export async function countRawDeliveries(db: Kysely<Tables>, seqs: ReadonlySet<number>): Promise<number> {
  let count = 0;
  for await (const { hits } of framesOf(db, seqs)) count += hits;
  return count;
}
