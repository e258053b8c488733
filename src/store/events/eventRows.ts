// Rows of the log as they are read, each with the result of its checksum.
import type { Kysely, Selectable } from "kysely";
import { chunksOf } from "../sqlHelpers.ts";
import type { EventsTable, Tables } from "../tables.ts";
import { checksumOf } from "./checksum.ts";

export interface EventRow {
  seq: number;
  sessionId: string;
  revision: number;
  source: string;
  deliverySha256: string;
  receivedAt: string;
  data: string;
  /** False: the row is damaged, and nothing of it may be shown. */
  isIntact: boolean;
}

/** `lastUncheckedPosition`: rows up to this position may be without a checksum. */
export function eventRowOf(row: Selectable<EventsTable>, lastUncheckedPosition: number): EventRow {
  return {
    seq: row.seq,
    sessionId: row.session_id,
    revision: row.revision,
    source: row.source,
    deliverySha256: row.delivery_sha256,
    receivedAt: row.received_at,
    data: row.data,
    isIntact: row.checksum === null ? row.seq <= lastUncheckedPosition : row.checksum === checksumOf(row),
  };
}

/** The newest revision of each of these calls, in no order. `db` may be a transaction. */
export async function newestRowsOf(
  db: Kysely<Tables>,
  sessionIds: readonly string[],
  lastUncheckedPosition: number,
): Promise<EventRow[]> {
  const rows: EventRow[] = [];
  for (const some of chunksOf(sessionIds)) {
    const newest = db.selectFrom("events").selectAll().where("session_id", "in", some).where("newest", "=", 1);
    for (const row of await newest.execute()) rows.push(eventRowOf(row, lastUncheckedPosition));
  }
  return rows;
}

/** An entry of the log without its contents. `newest`: 1 for the newest revision of its call. */
export interface Place extends Pick<EventRow, "sessionId" | "revision" | "seq"> {
  newest: number;
}

/** All entries of these calls. */
export async function placesOf(db: Kysely<Tables>, sessionIds: readonly string[]): Promise<Place[]> {
  const places: Place[] = [];
  for (const some of chunksOf(sessionIds)) {
    const entries = db.selectFrom("events").select(["seq", "session_id as sessionId", "revision", "newest"]);
    places.push(...(await entries.where("session_id", "in", some).execute()));
  }
  return places;
}
