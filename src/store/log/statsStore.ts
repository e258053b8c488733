// Counts over the log, as SQL: each call once, by its newest revision, so that duplicates and revisions change nothing.
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Database } from "../database.ts";
import { matches, type EventFilter } from "./eventFilter.ts";
import type { QueryOwner } from "../scheduling/queryOwner.ts";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";

export interface Totals {
  /** The earliest end (or receipt, where an event tells no end); null where nothing is counted. */
  since: string | null;
  calls: number;
  answered: number;
  /** In the service's units. */
  duration: number;
  billsec: number;
}

export interface CallCounts {
  calls: number;
  answered: number;
}

/** What rows of time are cut into: a minute, a quarter of an hour or an hour, in UTC. */
export type Slot = "minute" | "quarter" | "hour";

/**
 * A filter looks at the newest revision of a call, and at no other. Lists have the most frequent first; of equals, the
 * lesser text (of ids the lesser number), and null last. Each is a scan in the reader's turn, and one for all equal questions
 * of a reader. Everything throws STORE_UNAVAILABLE where the database fails, and QUERY_TOO_COMPLEX where it takes too long.
 */
export interface StatsStore {
  totals(reader: QueryOwner, filter: EventFilter): Promise<Totals>;
  /** Distinct numbers of each task, and those of them that an answered call reached. */
  numbers(reader: QueryOwner, filter: EventFilter): Promise<{ called: number; reached: number }>;
  byHangupReason(
    reader: QueryOwner,
    filter: EventFilter,
    first: number,
  ): Promise<(CallCounts & { reason: string | null })[]>;
  byHangupSide(reader: QueryOwner, filter: EventFilter): Promise<(CallCounts & { side: string | null })[]>;
  /** Null: calls of no task. */
  byTask(reader: QueryOwner, filter: EventFilter, first: number): Promise<(CallCounts & { taskId: string | null })[]>;
  /** A call that several assistants handled counts for each of them. */
  byAssistant(
    reader: QueryOwner,
    filter: EventFilter,
    first: number,
  ): Promise<(CallCounts & { assistantId: string })[]>;
  /**
   * In time order; a slot is told by its first minute, `2026-11-20T09:30`, in UTC. Those without a call are left out. `limit`
   * rows at most.
   */
  byTime(
    reader: QueryOwner,
    filter: EventFilter,
    slot: Slot,
    limit: number,
  ): Promise<(CallCounts & { minute: string })[]>;
  /** Entries of the log, revisions included; and calls that only reconciliation told. */
  entries(reader: QueryOwner): Promise<{ events: number; reconciled: number }>;
}

const calls = sql<number>`count(*)`.as("calls");
const answered = sql<number>`coalesce(sum(events.answered), 0)`.as("answered");

/** What is beyond this is no duration, and two of them could be beyond what a double holds: it is not added. */
const summed = (column: RawBuilder<unknown>) =>
  sql<number>`coalesce(sum(case when abs(${column}) <= 1e15 then ${column} else 0 end), 0)`;

export function createStatsStore({ scan, scanGuard: alive }: Database): StatsStore {
  const ask = <T>(
    reader: QueryOwner,
    part: string,
    about: readonly unknown[],
    query: (db: Kysely<Tables>) => Promise<T>,
  ) => {
    const question = ["stats", part, ...about];
    return reader.once(question, () => guarded(() => scan(reader, question, query)));
  };
  const newest = (db: Kysely<Tables>, filter: EventFilter) =>
    // Written out and not bound: only so the index over newest rows is known to hold all that is asked for.
    db
      .selectFrom("events")
      .where(alive)
      .where(sql<boolean>`events.newest = 1`)
      .where(matches(filter, "events"));

  return {
    totals: (reader, filter) =>
      ask(reader, "totals", [filter], (db) =>
        newest(db, filter)
          .select([calls, answered])
          .select((eb) => eb.fn.min<string | null>("events.ended_at").as("since"))
          .select(summed(sql.ref("events.duration")).as("duration"))
          .select(summed(sql.ref("events.billsec")).as("billsec"))
          .executeTakeFirstOrThrow(),
      ),
    numbers: (reader, filter) =>
      ask(reader, "numbers", [filter], (db) => {
        const numbers = newest(db, filter)
          .select(sql<number>`max(events.answered)`.as("reached"))
          .where("events.task_id", "is not", null)
          .where("events.callee", "is not", null)
          .groupBy(["events.task_id", "events.callee"])
          .as("numbers");
        return db
          .selectFrom(numbers)
          .select(sql<number>`count(*)`.as("called"))
          .select(sql<number>`coalesce(sum(numbers.reached), 0)`.as("reached"))
          .executeTakeFirstOrThrow();
      }),
    byHangupReason: (reader, filter, first) =>
      ask(reader, "byHangupReason", [filter, first], (db) =>
        newest(db, filter)
          .select(["events.hangup_reason as reason", calls, answered])
          .groupBy("events.hangup_reason")
          .orderBy(sql`calls desc, events.hangup_reason is null, events.hangup_reason`)
          .limit(first)
          .execute(),
      ),
    byHangupSide: (reader, filter) =>
      ask(reader, "byHangupSide", [filter], (db) =>
        newest(db, filter)
          .select(["events.hangup_side as side", calls, answered])
          .groupBy("events.hangup_side")
          .orderBy(sql`calls desc, events.hangup_side is null, events.hangup_side`)
          .execute(),
      ),
    byTask: (reader, filter, first) =>
      ask(reader, "byTask", [filter, first], (db) =>
        newest(db, filter)
          .select(["events.task_id as taskId", calls, answered])
          .groupBy("events.task_id")
          .orderBy(sql`calls desc, events.task_id is null, length(events.task_id), events.task_id`)
          .limit(first)
          .execute(),
      ),
    byAssistant: (reader, filter, first) =>
      ask(reader, "byAssistant", [filter, first], (db) =>
        newest(db, filter)
          .innerJoin("event_assistants as handled", "handled.seq", "events.seq")
          .select(["handled.assistant_id as assistantId", calls, answered])
          .groupBy("handled.assistant_id")
          .orderBy(sql`calls desc, length(handled.assistant_id), handled.assistant_id`)
          .limit(first)
          .execute(),
      ),
    byTime: (reader, filter, slot, limit) =>
      ask(reader, "byTime", [filter, slot, limit], (db) =>
        newest(db, filter)
          .select([slots[slot].as("minute"), calls, answered])
          .groupBy(slots[slot])
          .orderBy(slots[slot])
          .limit(limit)
          .execute(),
      ),
    entries: (reader) =>
      ask(reader, "entries", [], (db) =>
        db
          .selectFrom("events")
          .where(alive)
          .select(sql<number>`count(*)`.as("events"))
          .select(sql<number>`count(case when newest = 1 and source = 'RECONCILED' then 1 end)`.as("reconciled"))
          .executeTakeFirstOrThrow(),
      ),
  };
}

const past = sql<string>`substr(events.ended_at, 15, 2)`;
const slots: Record<Slot, RawBuilder<string>> = {
  minute: sql`substr(events.ended_at, 1, 16)`,
  quarter: sql`(substr(events.ended_at, 1, 14) || case when ${past} < '15' then '00' when ${past} < '30' then '15'
    when ${past} < '45' then '30' else '45' end)`,
  hour: sql`(substr(events.ended_at, 1, 14) || '00')`,
};
