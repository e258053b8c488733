// Counts over the log, as SQL: each call once, by its newest revision, so that duplicates and revisions change nothing.
import { sql, type RawBuilder } from "kysely";
import type { Database } from "./database.ts";
import { passes, type EventFilter } from "./eventFilter.ts";
import { guarded as guardedOnly } from "./storeError.ts";

export interface Totals {
  /** The earliest end (or receipt, where an event tells no end); null where nothing is counted. */
  since: string | null;
  calls: number;
  answered: number;
  /** In the service's units. */
  duration: number;
  billsec: number;
}

export interface Tally {
  calls: number;
  answered: number;
}

/**
 * A filter looks at the newest revision of a call, and at no other. Lists have the most frequent first; of equals, the
 * lesser text (of ids the lesser number), and null last. Everything throws STORE_UNAVAILABLE where the database fails.
 */
export interface StatsStore {
  totals(filter: EventFilter): Promise<Totals>;
  /** Distinct numbers of each task, and those of them that an answered call reached. */
  numbers(filter: EventFilter): Promise<{ called: number; reached: number }>;
  byHangupReason(filter: EventFilter, first: number): Promise<(Tally & { reason: string | null })[]>;
  byHangupSide(filter: EventFilter): Promise<(Tally & { side: string | null })[]>;
  /** Null: calls of no task. */
  byTask(filter: EventFilter, first: number): Promise<(Tally & { taskId: string | null })[]>;
  /** A call that several assistants handled counts for each of them. */
  byAssistant(filter: EventFilter, first: number): Promise<(Tally & { assistantId: string })[]>;
  /** In time order; a minute is `2026-11-20T09:30`, in UTC. Those without a call are left out. `limit` rows at most. */
  byMinute(filter: EventFilter, limit: number): Promise<(Tally & { minute: string })[]>;
  /** Entries of the log, revisions included; and calls that only reconciliation told. */
  entries(): Promise<{ events: number; reconciled: number }>;
}

const calls = sql<number>`count(*)`.as("calls");
const answered = sql<number>`coalesce(sum(events.answered), 0)`.as("answered");

/** What is beyond this is no duration, and two of them could be beyond what a double holds: it is not added. */
const summed = (column: RawBuilder<unknown>) =>
  sql<number>`coalesce(sum(case when abs(${column}) <= 1e15 then ${column} else 0 end), 0)`;

export function createStatsStore({ db, scan }: Database): StatsStore {
  const guarded = <T>(query: () => Promise<T>) => guardedOnly(() => scan(query));
  const newest = (filter: EventFilter) =>
    // Written out and not bound: only so the index over newest rows is known to hold all that is asked for.
    db
      .selectFrom("events")
      .where(sql<boolean>`events.newest = 1`)
      .where(passes(filter, "events"));

  return {
    totals: (filter) =>
      guarded(() =>
        newest(filter)
          .select([calls, answered])
          .select((eb) => eb.fn.min<string | null>("events.ended_at").as("since"))
          .select(summed(sql.ref("events.duration")).as("duration"))
          .select(summed(sql.ref("events.billsec")).as("billsec"))
          .executeTakeFirstOrThrow(),
      ),
    numbers: (filter) =>
      guarded(() => {
        const numbers = newest(filter)
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
    byHangupReason: (filter, first) =>
      guarded(() =>
        newest(filter)
          .select(["events.hangup_reason as reason", calls, answered])
          .groupBy("events.hangup_reason")
          .orderBy(sql`calls desc, events.hangup_reason is null, events.hangup_reason`)
          .limit(first)
          .execute(),
      ),
    byHangupSide: (filter) =>
      guarded(() =>
        newest(filter)
          .select(["events.hangup_side as side", calls, answered])
          .groupBy("events.hangup_side")
          .orderBy(sql`calls desc, events.hangup_side is null, events.hangup_side`)
          .execute(),
      ),
    byTask: (filter, first) =>
      guarded(() =>
        newest(filter)
          .select(["events.task_id as taskId", calls, answered])
          .groupBy("events.task_id")
          .orderBy(sql`calls desc, events.task_id is null, length(events.task_id), events.task_id`)
          .limit(first)
          .execute(),
      ),
    byAssistant: (filter, first) =>
      guarded(() =>
        newest(filter)
          .innerJoin("event_assistants as handled", "handled.seq", "events.seq")
          .select(["handled.assistant_id as assistantId", calls, answered])
          .groupBy("handled.assistant_id")
          .orderBy(sql`calls desc, length(handled.assistant_id), handled.assistant_id`)
          .limit(first)
          .execute(),
      ),
    byMinute: (filter, limit) =>
      guarded(() =>
        newest(filter)
          .select([minute.as("minute"), calls, answered])
          .groupBy(minute)
          .orderBy(minute)
          .limit(limit)
          .execute(),
      ),
    entries: () =>
      guarded(() =>
        db
          .selectFrom("events")
          .select(sql<number>`count(*)`.as("events"))
          .select(sql<number>`count(case when newest = 1 and source = 'RECONCILED' then 1 end)`.as("reconciled"))
          .executeTakeFirstOrThrow(),
      ),
  };
}

const minute = sql<string>`substr(events.ended_at, 1, 16)`;
