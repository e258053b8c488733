// Erases a person's data: everything in the log, raw deliveries, quarantine, recordings and submissions that a matcher finds.
import type { Transaction } from "kysely";
import { chunksOf } from "../sqlHelpers.ts";
import { addAuditEvent, blankCalls, type Actor } from "../audit/auditStore.ts";
import type { Database } from "../database.ts";
import type { ErasureMatch } from "./erasureMatch.ts";
import { blankSubmissions, findProposals } from "../tasks/eraseSubmissions.ts";
import { eraseProposals } from "../tasks/proposalWrites.ts";
import type { InputDigests } from "../tasks/inputDigest.ts";
import { createErasedKeys, type ErasedKeys } from "./erasedKeys.ts";
import { eraseAssistants, findAuditedCalls, findCallsWithoutEntries } from "./leftTraces.ts";
import { recordErasure, readHead } from "./purgeEvents.ts";
import { eraseRawDeliveries, findRawDeliveries } from "./rawErasure.ts";
import { eraseRecordings, tracesOf, type RecordingTraces } from "../recordings/purgeRecordings.ts";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";

export interface Erased extends RecordingTraces {
  /** The calls with an entry or a recording that matched. */
  sessionIds: string[];
  /** The number of entries of the log: all revisions of those calls. */
  events: number;
  /** The bodies of those entries, and other bodies that matched. */
  rawDeliveries: number;
  quarantined: number;
  recordings: number;
  /** The number of declined proposals. */
  proposals: number;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface Eraser {
  /**
   * Erases in one transaction of the log, so that no matching call is appended meanwhile. Keeps a keyed hash of each erased call
   * and delivery, so that neither is accepted again. Declines matching proposals. Blanks the names and keys of matching
   * submissions; the keys stay used. Keys the digests of all inputs. Deletes versions of assistants that match, and the ids of calls that
   * only a recording or the audit log still names. Calls `first` with the recordings' files before it erases anything: if that fails, or the
   * process ends, a second call finds the same data. Adds the entry of `by` to the audit log in the same transaction.
   */
  erase(match: ErasureMatch, first: (traces: RecordingTraces) => Promise<void>, by: Actor): Promise<Erased>;
  /** Erases recordings that a download or a reader added after their calls were erased. */
  eraseRecordings(sessionIds: readonly string[]): Promise<RecordingTraces>;
  /**
   * Removes deleted data from the files: SQLite's file is rewritten and its log emptied, PostgreSQL's tables are vacuumed. Takes as
   * long as writing the whole database.
   */
  scrub(): Promise<void>;
}

const ROWS_PER_PAGE = 500;
/** Fewer, because a body may have 256 KiB. */
const BODIES_PER_PAGE = 50;

export function createEraser(database: Database, digests: Pick<InputDigests, "keyAll">): Eraser {
  const { db } = database;
  const erased = createErasedKeys();

  /** Adds the calls of matching rows after a position to `into`. Returns the last position that was read. */
  async function findCalls(trx: Tx, after: number, match: ErasureMatch, into: Set<string>): Promise<number> {
    for (let position = after; ;) {
      const page = trx.selectFrom("events").select(["seq", "session_id", "data"]).where("seq", ">", position);
      const rows = await page.orderBy("seq").limit(ROWS_PER_PAGE).execute();
      for (const { session_id, data } of rows) if (match.event(data)) into.add(session_id);
      const last = rows.at(-1);
      if (!last) return position;
      position = last.seq;
    }
  }
  async function findDeliveries(trx: Tx, after: number, match: ErasureMatch, into: Set<number>): Promise<number> {
    for (let position = after; ;) {
      const page = trx.selectFrom("quarantine").select(["id", "body"]).where("id", ">", position);
      const rows = await page.orderBy("id").limit(BODIES_PER_PAGE).execute();
      for (const { id, body } of rows) if (match.delivery(body)) into.add(id);
      const last = rows.at(-1);
      if (!last) return position;
      position = last.id;
    }
  }

  return {
    erase: (match, first, by) =>
      guarded(async () => {
        const calls = new Set<string>();
        const deliveries = new Set<number>();
        const bodies = new Set<number>();
        // Most rows are read while others append, and only newer rows under the log's lock.
        const readThrough = await findCalls(db, 0, match, calls);
        const deliveriesReadThrough = await findDeliveries(db, 0, match, deliveries);
        const proposals = { searched: new Set<string>(), matching: new Set<string>() };
        await findProposals(db, match, proposals);
        const bodiesReadThrough = await findRawDeliveries(db, 0, match.delivery, bodies);
        const audited = new Set<string>();
        const auditReadThrough = await findAuditedCalls(db, 0, match, audited);
        await findCallsWithoutEntries(db, match, calls);
        await first(await tracesOf(db, [...calls]));
        // These need no lock of the log, and a repeated call goes on with them.
        await digests.keyAll(db);
        await eraseAssistants(db, match);
        return database.append(async (trx) => {
          await findCalls(trx, readThrough, match, calls);
          await findDeliveries(trx, deliveriesReadThrough, match, deliveries);
          await findRawDeliveries(trx, bodiesReadThrough, match.delivery, bodies);
          await findProposals(trx, match, proposals);
          await findAuditedCalls(trx, auditReadThrough, match, audited);
          const sessionIds = [...calls];
          const declined = await eraseProposals(trx, [...proposals.matching], by);
          await blankSubmissions(trx, erased, match);
          await eraseLines(trx, match);
          await blankCalls(trx, [...audited]);
          const { events, ...recordings } = await eraseCalls(trx, erased, sessionIds, bodies);
          const rawDeliveries = await eraseRawDeliveries(trx, bodies);
          const quarantined = await eraseDeliveries(trx, erased, [...deliveries]);
          await addAuditEvent(trx, { ...by, action: "PHONE_FORGOTTEN", subject: null, count: events });
          return { sessionIds, events, rawDeliveries, quarantined, proposals: declined, ...recordings };
        });
      }),
    eraseRecordings: (sessionIds) => guarded(() => db.transaction().execute((trx) => eraseRecordings(trx, sessionIds))),
    scrub: () => guarded(() => database.scrub()),
  };
}

type Tx = Database["db"] | Transaction<Tables>;

/** Adds the positions of erased entries to `seqs`. */
async function eraseCalls(
  trx: Transaction<Tables>,
  erased: ErasedKeys,
  sessionIds: readonly string[],
  seqs: Set<number>,
) {
  const last = await readHead({ db: trx });
  let events = 0;
  for (const some of chunksOf(sessionIds)) {
    await erased.add(trx, "call", some);
    const gone = await trx.deleteFrom("events").where("session_id", "in", some).returning("seq").execute();
    for (const { seq } of gone) seqs.add(seq);
    events += gone.length;
    await trx.deleteFrom("open_calls").where("session_id", "in", some).execute();
  }
  // Also if no call was in the log, because gateways cache other personal data too.
  await recordErasure(trx, last);
  return { events, ...(await eraseRecordings(trx, sessionIds)) };
}

async function eraseDeliveries(trx: Transaction<Tables>, erased: ErasedKeys, ids: readonly number[]) {
  let quarantined = 0;
  for (const some of chunksOf(ids)) {
    const gone = await trx.deleteFrom("quarantine").where("id", "in", some).returning("body_sha256").execute();
    await erased.add(
      trx,
      "delivery",
      gone.map(({ body_sha256 }) => body_sha256),
    );
    quarantined += gone.length;
  }
  return quarantined;
}

/** A viewer may have given a phone number as the ID of a line. */
async function eraseLines(trx: Transaction<Tables>, match: ErasureMatch): Promise<void> {
  const lines = await trx.selectFrom("known_lines").select("line_id").execute();
  const matching = lines.flatMap(({ line_id }) => (match.text(line_id) ? line_id : []));
  for (const some of chunksOf(matching)) await trx.deleteFrom("known_lines").where("line_id", "in", some).execute();
}
