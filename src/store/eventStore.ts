// The log's rows: append in one transaction, read in order of `seq`, which is the order of commits.
import { sql, type ExpressionBuilder, type Kysely, type Selectable, type Expression, type SqlBool } from "kysely";
import { guarded } from "./storeError.ts";
import type { EventsTable, Tables } from "./tables.ts";

export interface NewEventRow {
  sessionId: string;
  receivedAt: string;
  endedAt: string;
  direction: string | null;
  hangupSide: string | null;
  answered: boolean;
  taskId: string | null;
  caller: string | null;
  callee: string | null;
  assistantIds: readonly string[];
  data: string;
}

export interface EventRow {
  seq: number;
  receivedAt: string;
  data: string;
}

/** All that are given must hold; an empty list holds for nothing. */
export interface EventRowFilter {
  taskIds?: readonly string[];
  assistantIds?: readonly string[];
  direction?: string;
  hangupSide?: string;
  answered?: boolean;
  /** Equals caller or callee. */
  phone?: string;
  /** Inclusive, by ended_at. */
  since?: string;
  /** Exclusive. */
  until?: string;
}

export interface EventPage {
  filter: EventRowFilter;
  /** Only rows behind this one, in the direction of `order`; null: from the first. */
  after: number | null;
  order: "oldestFirst" | "newestFirst";
  limit: number;
}

/** Everything throws STORE_UNAVAILABLE where the database fails. */
export interface EventStore {
  /** All in one transaction, on disk when it resolves. A session that is known already is passed over: false. */
  append(rows: readonly NewEventRow[]): Promise<boolean[]>;
  read(page: EventPage): Promise<EventRow[]>;
  bySession(sessionId: string): Promise<EventRow | null>;
  /** The newest row's seq; 0 in an empty log. */
  head(): Promise<number>;
}

export function createEventStore(db: Kysely<Tables>): EventStore {
  return {
    append: (rows) => guarded(() => db.transaction().execute((trx) => appendRows(trx, rows))),
    read: (page) => guarded(async () => (await selectPage(db, page).execute()).map(eventRow)),
    bySession: (sessionId) =>
      guarded(async () => {
        const row = await db
          .selectFrom("events")
          .select(columns)
          .where("session_id", "=", sessionId)
          .executeTakeFirst();
        return row ? eventRow(row) : null;
      }),
    head: () =>
      guarded(async () => {
        const row = await db
          .selectFrom("events")
          .select(sql<number>`coalesce(max(seq), 0)`.as("seq"))
          .executeTakeFirst();
        return row?.seq ?? 0;
      }),
  };
}

const columns = ["seq", "received_at", "data"] as const;

async function appendRows(trx: Kysely<Tables>, rows: readonly NewEventRow[]): Promise<boolean[]> {
  const fresh: boolean[] = [];
  for (const row of rows) {
    const inserted = await trx
      .insertInto("events")
      .values({
        session_id: row.sessionId,
        received_at: row.receivedAt,
        ended_at: row.endedAt,
        direction: row.direction,
        hangup_side: row.hangupSide,
        answered: Number(row.answered),
        task_id: row.taskId,
        caller: row.caller,
        callee: row.callee,
        data: row.data,
      })
      .onConflict((conflict) => conflict.column("session_id").doNothing())
      .returning("seq")
      .executeTakeFirst();
    fresh.push(inserted !== undefined);
    const assistantIds = [...new Set(row.assistantIds)];
    if (inserted && assistantIds.length > 0) {
      const values = assistantIds.map((assistant_id) => ({ assistant_id, seq: inserted.seq }));
      await trx.insertInto("event_assistants").values(values).execute();
    }
  }
  return fresh;
}

function selectPage(db: Kysely<Tables>, { filter, after, order, limit }: EventPage) {
  const query = db
    .selectFrom("events")
    .select(columns)
    .where((eb) => eb.and(conditions(eb, filter)))
    .limit(limit);
  return order === "oldestFirst"
    ? query.where("seq", ">", after ?? 0).orderBy("seq", "asc")
    : query.$if(after !== null, (q) => q.where("seq", "<", after ?? 0)).orderBy("seq", "desc");
}

function conditions(eb: ExpressionBuilder<Tables, "events">, filter: EventRowFilter): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = [];
  if (filter.taskIds) all.push(eb("task_id", "in", filter.taskIds));
  if (filter.direction !== undefined) all.push(eb("direction", "=", filter.direction));
  if (filter.hangupSide !== undefined) all.push(eb("hangup_side", "=", filter.hangupSide));
  if (filter.answered !== undefined) all.push(eb("answered", "=", Number(filter.answered)));
  if (filter.phone !== undefined) all.push(eb.or([eb("caller", "=", filter.phone), eb("callee", "=", filter.phone)]));
  if (filter.since !== undefined) all.push(eb("ended_at", ">=", filter.since));
  if (filter.until !== undefined) all.push(eb("ended_at", "<", filter.until));
  if (filter.assistantIds) {
    const withOne = eb.selectFrom("event_assistants").select("seq").where("assistant_id", "in", filter.assistantIds);
    all.push(eb("seq", "in", withOne));
  }
  return all;
}

function eventRow(row: Pick<Selectable<EventsTable>, "seq" | "received_at" | "data">): EventRow {
  return { seq: row.seq, receivedAt: row.received_at, data: row.data };
}
