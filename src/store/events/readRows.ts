// Reads a page of the log's rows: it chooses the queue in which the owner waits, and the queries.
import type { Kysely, RawBuilder, Selectable, SqlBool } from "kysely";
import type { Database } from "../database.ts";
import type { QueryOwner } from "../scheduling/queryOwner.ts";
import type { EventsTable, Tables } from "../tables.ts";
import { readPurgedThrough } from "./purgeEvents.ts";
import { ALL, matches, matchesFirst, type EventFilter } from "./eventFilter.ts";

export interface EventPage {
  filter: EventFilter;
  /** True: every matching revision. False: each call once, at its first matching revision. */
  revisions: boolean;
  /** Only rows after this position, in the direction of `order`. Null: from the first row. */
  after: number | null;
  order: "oldestFirst" | "newestFirst";
  /** Only rows up to this position. Null: to the end. */
  through: number | null;
  limit: number;
  /** The owner in whose turn the page is read. Without an owner it is read at once. */
  queryOwner?: QueryOwner | undefined;
}

type Rows = Omit<EventPage, "queryOwner">;

export interface ReadPage<Row> {
  rows: Row[];
  /** The position up to which rows had been purged, read after the rows. */
  purgedThrough: number;
}

/**
 * One page of the log: in its owner's turn, and as a scan where a filter may leave out most rows. All that a reader needs comes in
 * one turn, so that what it does with it is in the turn, too.
 */
export function readRows(
  database: Database,
  queryOwner: QueryOwner | undefined,
  page: Rows,
): Promise<ReadPage<Selectable<EventsTable>>> {
  const { db, scanGuard } = database;
  const readFrom = async (own: Kysely<Tables>, first: RawBuilder<SqlBool>) => {
    const rows = await rowsOf(own, page, first).execute();
    return { rows, purgedThrough: await readPurgedThrough({ db: own }) };
  };
  const read = () => readFrom(db, ALL);
  if (!queryOwner) return read();
  const key = ["events", page];
  // The upper end limits the rows that are read.
  if (page.through !== null) return database.replay(queryOwner, key, read);
  // Without a filter nearly every row that is read is returned.
  if (Object.keys(page.filter).every((name) => name === "ended")) return database.read(queryOwner, key, read);
  return database.scan(queryOwner, key, (own) => readFrom(own, scanGuard("events.seq")));
}

function rowsOf(
  db: Kysely<Tables>,
  { filter, revisions, after, through, order, limit }: Rows,
  first: RawBuilder<SqlBool>,
) {
  const query = db
    .selectFrom("events")
    .selectAll()
    .where(first)
    .where(revisions ? matches(filter, "events") : matchesFirst(filter, "events"))
    .$if(through !== null, (q) => q.where("seq", "<=", through ?? 0))
    .limit(limit);
  return order === "oldestFirst"
    ? query.where("seq", ">", after ?? 0).orderBy("seq", "asc")
    : query.$if(after !== null, (q) => q.where("seq", "<", after ?? 0)).orderBy("seq", "desc");
}
