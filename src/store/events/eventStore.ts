// Appends rows to the log and reads them in the order of `seq`, which is the order of commits.
import type { Kysely, Selectable } from "kysely";
import { checksumOf } from "./checksum.ts";
import type { Database } from "../database.ts";
import { createErasedKeys, namesToSeek, type ErasedKeys } from "./erasedKeys.ts";
import { eventRowOf, newestRowsOf, type EventRow } from "./eventRows.ts";
import { markRows } from "./notEndedRows.ts";
import { readRows, type ReadPage, type EventPage } from "./readRows.ts";
import { createBloomFilter, type BloomFilter } from "./bloomFilter.ts";
import type { NewRows, FullRow } from "./eventWriter.ts";
import { rawFramesOf } from "./rawFrame.ts";
import { readHead, readErasures, readPurgedThrough } from "./purgeEvents.ts";
import { purgeImportedRows, purgeRows } from "./purgeRows.ts";
import { readLostPositions, type LostPositions } from "./restoredLog.ts";
import { guarded } from "../storeError.ts";
import { chunksOf } from "../sqlHelpers.ts";
import type { EventsTable, Tables } from "../tables.ts";

export type { EventFilter } from "./eventFilter.ts";
export type { EventPage } from "./readRows.ts";
export type { EventRow } from "./eventRows.ts";

export interface NewEventRow {
  sessionId: string;
  revision: number;
  source: string;
  deliverySha256: string;
  receivedAt: string;
  endedAt: string;
  direction: string | null;
  hangupSide: string | null;
  hangupReason: string | null;
  answered: boolean;
  duration: number | null;
  billsec: number | null;
  taskId: string | null;
  caller: string | null;
  callee: string | null;
  assistantIds: readonly string[];
  data: string;
}

export interface AppendedRow extends NewEventRow {
  /** The position in the log. */
  seq: number;
}

/**
 * Returns the row that a delivery adds to the earlier revisions of its call, oldest first. Null: it adds nothing. May be called
 * twice for a delivery; the last result counts.
 */
export type Revise<D> = (earlier: readonly Omit<EventRow, "seq">[], delivery: D) => NewEventRow | null;

/** `body`: what came, if it is to be kept. */
export interface Appendable {
  sessionId: string;
  body?: Uint8Array | null;
  /** Numbers of a call that is not added if one of them was erased. Absent for news: a person may be called again. */
  keptFrom?: readonly string[];
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface EventStore {
  /**
   * Appends deliveries in one transaction, on disk when it resolves. Returns the row that each one added, or null. Reading the
   * earlier revisions, `revise` and the write are one atomic step among all gateways. An erased call adds nothing. The body of a
   * delivery is kept if it added a row.
   */
  append<D extends Appendable>(deliveries: readonly D[], revise: Revise<D>): Promise<(AppendedRow | null)[]>;
  read(page: EventPage): Promise<EventRow[]>;
  /** The same, with the position up to which rows had been purged when they were read. */
  readPage(page: EventPage): Promise<ReadPage<EventRow>>;
  /** All revisions of a call, oldest first. */
  revisionsOf(sessionId: string): Promise<EventRow[]>;
  /** The newest revision of each of these calls, in no order. */
  newestRevisions(sessionIds: readonly string[]): Promise<EventRow[]>;
  /** Marks entries that do not show the end of their call: they are neither listed nor counted from then on. */
  markNotEnded(entries: readonly { sessionId: string; revision: number }[]): Promise<void>;
  /** False: the log has no entry of the call. True: it may have one. Never throws. */
  mayContain(sessionId: string): boolean;
  /** The highest position that was ever used. 0 if the log never had a row. */
  head(): Promise<number>;
  /** The position of the first row after this one, however many positions were skipped. Null: there is none. */
  positionAfter(seq: number): Promise<number | null>;
  /** The position up to which rows were purged. */
  purgedThrough(): Promise<number>;
  /** The positions that the log lost when the database was restored or failed over. Null: it never was. */
  lostPositions(): Promise<LostPositions | null>;
  /** Increases with each erasure. Rows that were read earlier may be gone from the middle of the log. */
  erasureCount(): Promise<number>;
  /** Deletes up to `limit` of the oldest rows received before an instant. Returns their number. A row later than `latest` has a wrong time. */
  purge(receivedBefore: string, limit: number, latest?: string): Promise<number>;
  /** Deletes up to `limit` imported rows of calls that ended before an instant. Returns their number. */
  purgeImported(endedBefore: string, limit: number): Promise<number>;
}

/** `lastUncheckedPosition`: rows up to this position may be without a checksum. */
export function createEventStore(database: Database, lastUncheckedPosition = 0): EventStore {
  const { db } = database;
  const erased = createErasedKeys();
  const filter = createBloomFilter(database);
  const eventRow = (row: Selectable<EventsTable>) => eventRowOf(row, lastUncheckedPosition);
  const { saw } = database.eventWriter;
  const readPage = ({ queryOwner, ...page }: EventPage) =>
    guarded(async () => {
      const { rows, purgedThrough } = await readRows(database, queryOwner, page);
      for (const { seq } of rows) saw(seq);
      return { rows: rows.map(eventRow), purgedThrough };
    });
  return {
    append: async (deliveries, revise) =>
      deliveries.length === 0
        ? []
        : guarded(() => appendRows(database, { erased, filter, lastUncheckedPosition }, deliveries, revise)),
    read: async (page) => (await readPage(page)).rows,
    readPage,
    revisionsOf: (sessionId) =>
      guarded(async () => {
        // PostgreSQL refuses texts with a NUL, and no session id has one.
        if (sessionId.includes("\0")) return [];
        const rows = db.selectFrom("events").selectAll().where("session_id", "=", sessionId).orderBy("revision");
        return (await rows.execute()).map(eventRow);
      }),
    newestRevisions: (sessionIds) => guarded(() => newestRowsOf(db, sessionIds, lastUncheckedPosition)),
    markNotEnded: (entries) => guarded(() => markRows(db, entries)),
    mayContain: filter.mayContain,
    head: () =>
      guarded(async () => {
        const head = await readHead(database);
        saw(head);
        return head;
      }),
    lostPositions: () => guarded(() => readLostPositions(database)),
    erasureCount: () => guarded(() => readErasures(database)),
    positionAfter: (seq) =>
      guarded(async () => {
        const next = db.selectFrom("events").select("seq").where("seq", ">", seq).orderBy("seq").limit(1);
        return (await next.executeTakeFirst())?.seq ?? null;
      }),
    purgedThrough: () => guarded(() => readPurgedThrough(database)),
    purge: (receivedBefore, limit, latest = LAST_INSTANT) =>
      guarded(() => purgeRows(database, { receivedBefore, latest }, limit)),
    purgeImported: (endedBefore, limit) => guarded(() => purgeImportedRows(database, endedBefore, limit)),
  };
}

const LAST_INSTANT = "9999-12-31T23:59:59.999Z";

interface AppendContext {
  erased: ErasedKeys;
  filter: BloomFilter;
  lastUncheckedPosition: number;
}

async function appendRows<D extends Appendable>(
  { eventWriter }: Database,
  { erased, filter, lastUncheckedPosition }: AppendContext,
  deliveries: readonly D[],
  revise: Revise<D>,
): Promise<(AppendedRow | null)[]> {
  const sessionIds = [...new Set(deliveries.map(({ sessionId }) => sessionId))];
  for (const sessionId of sessionIds) filter.add(sessionId);
  let added: (AppendedRow | null)[] = [];
  await eventWriter.write(sessionIds, async ({ revisions, hasErasures, lastSeq }, trx) => {
    const known = Map.groupBy<string, Omit<EventRow, "seq">>(
      revisions.map((row) => eventRowOf(row, lastUncheckedPosition)),
      (row) => row.sessionId,
    );
    // An erased call has no rows any more.
    const unknown = hasErasures ? sessionIds.filter((sessionId) => !known.has(sessionId)) : [];
    const erasedCalls = await erased.findErased(trx, "call", unknown);
    const erasedPeople = hasErasures ? await findErasedPeople(trx, erased, deliveries) : new Set<D>();
    let seq = lastSeq;
    added = deliveries.map((delivery) => {
      if (erasedCalls.has(delivery.sessionId) || erasedPeople.has(delivery)) return null;
      const earlier = known.get(delivery.sessionId) ?? [];
      const row = revise(earlier, delivery);
      if (!row) return null;
      known.set(delivery.sessionId, [...earlier, { ...row, isIntact: true }]);
      seq += 1;
      return { ...row, seq };
    });
    const rows = added.filter((row) => row !== null);
    return rows.length === 0 ? null : { ...newRowsOf(rows), raw: rawFramesOf(added, deliveries) };
  });
  eventWriter.saw(added.findLast((row) => row !== null)?.seq ?? 0);
  return added;
}

/** The deliveries that stay out because one of their numbers was erased. */
async function findErasedPeople<D extends Appendable>(
  trx: Kysely<Tables>,
  erased: ErasedKeys,
  deliveries: readonly D[],
): Promise<Set<D>> {
  const sought = deliveries.flatMap((delivery) =>
    delivery.keptFrom ? { delivery, names: delivery.keptFrom.flatMap(namesToSeek) } : [],
  );
  const found = new Set<string>();
  for (const names of chunksOf(sought.flatMap(({ names }) => names)))
    for (const name of await erased.findErased(trx, "person", names)) found.add(name);
  return new Set(sought.flatMap(({ delivery, names }) => (names.some((name) => found.has(name)) ? [delivery] : [])));
}

function newRowsOf(rows: readonly AppendedRow[]): Omit<NewRows, "raw"> {
  const newest = new Map(rows.map(({ sessionId, revision }) => [sessionId, revision]));
  return {
    events: rows.map((row) => fullRowOf(row, newest.get(row.sessionId) === row.revision)),
    assistants: rows.flatMap(({ seq, assistantIds }) =>
      [...new Set(assistantIds)].map((assistant_id) => ({ assistant_id, seq })),
    ),
    revised: rows.filter(({ revision }) => revision > 1).map(({ sessionId }) => sessionId),
  };
}

/** The columns of a row, with its checksum. */
export function fullRowOf(row: AppendedRow, isNewest: boolean): FullRow {
  const values = {
    seq: row.seq,
    session_id: row.sessionId,
    revision: row.revision,
    source: row.source,
    delivery_sha256: row.deliverySha256,
    received_at: row.receivedAt,
    ended_at: row.endedAt,
    direction: row.direction,
    hangup_side: row.hangupSide,
    hangup_reason: row.hangupReason,
    answered: Number(row.answered),
    duration: row.duration,
    billsec: row.billsec,
    task_id: row.taskId,
    caller: row.caller,
    callee: row.callee,
    data: row.data,
  };
  return { ...values, newest: Number(isNewest), checksum: checksumOf(values) };
}
