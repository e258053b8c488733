// Reads a page of the log's rows: it chooses the queue in which the owner waits, and the query.
import type { Kysely, RawBuilder, Selectable, SqlBool } from "kysely";
import type { Database } from "../database.ts";
import type { QueryOwner } from "../scheduling/queryOwner.ts";
import type { EventsTable, Tables } from "../tables.ts";
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

/** One page of the log: in its owner's turn, and as a scan where a filter may leave out most rows. */
export function readRows(
  database: Database,
  queryOwner: QueryOwner | undefined,
  page: Rows,
): Promise<Selectable<EventsTable>[]> {
  const { db, scanGuard: alive } = database;
  const read = () => rowsOf(db, page, ALL).execute();
  if (!queryOwner) return read();
  const key = ["events", page];
  // The upper end limits the rows that are read.
  if (page.through !== null) return database.replay(queryOwner, key, read);
  // Without a filter every row that is read is returned.
  if (Object.keys(page.filter).length === 0) return database.read(queryOwner, key, read);
  return database.scan(queryOwner, key, (own) => rowsOf(own, page, alive).execute());
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
