// Statistics over the log, as SQL. Each call counts once, by its newest revision, so duplicates and revisions change nothing.
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Database } from "../database.ts";
import { matches, type EventFilter } from "./eventFilter.ts";
import type { QueryOwner } from "../scheduling/queryOwner.ts";
import { epochSeconds } from "../sqlHelpers.ts";
import { NOT_ENDED } from "./notEndedRows.ts";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";

export interface Totals {
  /** The earliest end of a call, or receipt of an event without an end. Null if nothing was counted. */
  since: string | null;
  calls: number;
  answered: number;
  /** Calls of which neither the side nor the reason of the hang-up is known. */
  withoutHangup: number;
  /** In the service's unit. */
  duration: number;
  billsec: number;
}

export interface CallCounts {
  calls: number;
  answered: number;
}

export interface Arrivals {
  /** In UTC, `2026-11-20T09`. */
  hour: string;
  webhooks: number;
  reconciled: number;
  /** The mean from the end of a call to its webhook. Null: no webhook told an end. Calls that ended before the log began do not count. */
  meanDelay: number | null;
}

/** The length of a row of a timeline, in UTC. */
export type Slot = "minute" | "quarter" | "hour";

/**
 * Filters apply to the newest revision of a call. Lists begin with the most frequent value; equal counts are ordered by text (ids
 * by number), null last. Each query is a scan in the owner's turn, and equal queries of an owner run once. Every member throws
 * STORE_UNAVAILABLE if the database fails, and QUERY_TOO_COMPLEX if the scan takes too long.
 */
export interface StatsStore {
  totals(queryOwner: QueryOwner, filter: EventFilter): Promise<Totals>;
  /** The distinct phone numbers of each task, and how many of them answered a call. */
  numbers(queryOwner: QueryOwner, filter: EventFilter): Promise<{ called: number; reached: number }>;
  byHangupReason(
    queryOwner: QueryOwner,
    filter: EventFilter,
    first: number,
  ): Promise<(CallCounts & { reason: string | null })[]>;
  byHangupSide(queryOwner: QueryOwner, filter: EventFilter): Promise<(CallCounts & { side: string | null })[]>;
  /** `taskId` is null for calls without a task. */
  byTask(
    queryOwner: QueryOwner,
    filter: EventFilter,
    first: number,
  ): Promise<(CallCounts & { taskId: string | null })[]>;
  /** A call that several assistants handled counts for each of them. */
  byAssistant(
    queryOwner: QueryOwner,
    filter: EventFilter,
    first: number,
  ): Promise<(CallCounts & { assistantId: string })[]>;
  /**
   * In the order of time. `minute` is the first minute of the slot in UTC, `2026-11-20T09:30`. Slots without calls are left out.
   * Returns at most `limit` rows.
   */
  byTime(
    queryOwner: QueryOwner,
    filter: EventFilter,
    slot: Slot,
    limit: number,
  ): Promise<(CallCounts & { minute: string })[]>;
  /** How the calls that ended since an instant became known, by the hour of their end. Hours without calls are left out. */
  arrivals(queryOwner: QueryOwner, since: string): Promise<Arrivals[]>;
  /** The deliveries in quarantine that could not be read and were received since an instant, by hour. */
  unreadable(queryOwner: QueryOwner, since: string): Promise<{ hour: string; count: number }[]>;
  /** The entries of the log with all revisions, and the calls that only reconciliation found. */
  entries(queryOwner: QueryOwner): Promise<{ events: number; reconciled: number }>;
}

const calls = sql<number>`count(*)`.as("calls");
const answered = sql<number>`coalesce(sum(events.answered), 0)`.as("answered");

const withoutHangup =
  sql<number>`count(case when events.hangup_side is null and events.hangup_reason is null then 1 end)`.as(
    "withoutHangup",
  );

/** Adds only plausible durations: the sum of larger numbers could exceed a double. */
const summed = (column: RawBuilder<unknown>) =>
  sql<number>`coalesce(sum(case when abs(${column}) <= 1e15 then ${column} else 0 end), 0)`;

export function createStatsStore({ kind, scan, scanGuard }: Database): StatsStore {
  const alive = scanGuard("events.seq");
  const scanOnce = <T>(
    queryOwner: QueryOwner,
    part: string,
    parameters: readonly unknown[],
    query: (db: Kysely<Tables>) => Promise<T>,
  ) => {
    const key = ["stats", part, ...parameters];
    return queryOwner.once(key, () => guarded(() => scan(queryOwner, key, query)));
  };
  const newest = (db: Kysely<Tables>, filter: EventFilter) =>
    // A literal and not a parameter, so that the database can use the partial index over newest rows.
    db
      .selectFrom("events")
      .where(alive)
      .where(sql<boolean>`events.newest = 1`)
      .where(matches(filter, "events"));

  return {
    totals: (queryOwner, filter) =>
      scanOnce(queryOwner, "totals", [filter], (db) =>
        newest(db, filter)
          .select([calls, answered])
          .select((eb) => eb.fn.min<string | null>("events.ended_at").as("since"))
          .select(withoutHangup)
          .select(summed(sql.ref("events.duration")).as("duration"))
          .select(summed(sql.ref("events.billsec")).as("billsec"))
          .executeTakeFirstOrThrow(),
      ),
    numbers: (queryOwner, filter) =>
      scanOnce(queryOwner, "numbers", [filter], (db) => {
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
    byHangupReason: (queryOwner, filter, first) =>
      scanOnce(queryOwner, "byHangupReason", [filter, first], (db) =>
        newest(db, filter)
          .select(["events.hangup_reason as reason", calls, answered])
          .groupBy("events.hangup_reason")
          .orderBy(sql`calls desc, events.hangup_reason is null, events.hangup_reason`)
          .limit(first)
          .execute(),
      ),
    byHangupSide: (queryOwner, filter) =>
      scanOnce(queryOwner, "byHangupSide", [filter], (db) =>
        newest(db, filter)
          .select(["events.hangup_side as side", calls, answered])
          .groupBy("events.hangup_side")
          .orderBy(sql`calls desc, events.hangup_side is null, events.hangup_side`)
          .execute(),
      ),
    byTask: (queryOwner, filter, first) =>
      scanOnce(queryOwner, "byTask", [filter, first], (db) =>
        newest(db, filter)
          .select(["events.task_id as taskId", calls, answered])
          .groupBy("events.task_id")
          .orderBy(sql`calls desc, events.task_id is null, length(events.task_id), events.task_id`)
          .limit(first)
          .execute(),
      ),
    byAssistant: (queryOwner, filter, first) =>
      scanOnce(queryOwner, "byAssistant", [filter, first], (db) =>
        newest(db, filter)
          .innerJoin("event_assistants as handled", "handled.seq", "events.seq")
          .select(["handled.assistant_id as assistantId", calls, answered])
          .groupBy("handled.assistant_id")
          .orderBy(sql`calls desc, length(handled.assistant_id), handled.assistant_id`)
          .limit(first)
          .execute(),
      ),
    byTime: (queryOwner, filter, slot, limit) =>
      scanOnce(queryOwner, "byTime", [filter, slot, limit], (db) =>
        newest(db, filter)
          .select([slots[slot].as("minute"), calls, answered])
          .groupBy(slots[slot])
          .orderBy(slots[slot])
          .limit(limit)
          .execute(),
      ),
    arrivals: (queryOwner, since) =>
      scanOnce(queryOwner, "arrivals", [since], (db) => {
        const hour = sql<string>`substr(events.ended_at, 1, 13)`;
        const delay = sql`${epochSeconds(kind, "events.received_at")} - ${epochSeconds(kind, "events.ended_at")}`;
        const began = sql`(select first.received_at from events as first order by first.seq limit 1)`;
        const isTimely = sql`source = 'WEBHOOK' and ended_at <> received_at and ended_at >= ${began}`;
        return (
          db
            .selectFrom("events")
            .where(alive)
            .where(sql<boolean>`events.revision = 1 and events.newest <> ${sql.lit(NOT_ENDED)}`)
            .where("events.ended_at", ">=", since)
            .select(hour.as("hour"))
            .select(sql<number>`count(case when source = 'WEBHOOK' then 1 end)`.as("webhooks"))
            .select(sql<number>`count(case when source = 'RECONCILED' then 1 end)`.as("reconciled"))
            // A call without an end has its receipt in its place.
            .select(sql<number | null>`avg(case when ${isTimely} then ${delay} end)`.as("meanDelay"))
            .groupBy(hour)
            .orderBy(hour)
            .execute()
        );
      }),
    unreadable: (queryOwner, since) =>
      scanOnce(queryOwner, "unreadable", [since], (db) => {
        const hour = sql<string>`substr(quarantine.received_at, 1, 13)`;
        return db
          .selectFrom("quarantine")
          .where("kind", "=", "UNREADABLE")
          .where("received_at", ">=", since)
          .select([hour.as("hour"), sql<number>`count(*)`.as("count")])
          .groupBy(hour)
          .orderBy(hour)
          .execute();
      }),
    entries: (queryOwner) =>
      scanOnce(queryOwner, "entries", [], (db) =>
        db
          .selectFrom("events")
          .where(alive)
          .select(sql<number>`count(*)`.as("events"))
          .select(sql<number>`count(case when newest = 1 and source = 'RECONCILED' then 1 end)`.as("reconciled"))
          .executeTakeFirstOrThrow(),
      ),
  };
}

const minuteOfHour = sql<string>`substr(events.ended_at, 15, 2)`;
const slots: Record<Slot, RawBuilder<string>> = {
  minute: sql`substr(events.ended_at, 1, 16)`,
  quarter: sql`(substr(events.ended_at, 1, 14) || case when ${minuteOfHour} < '15' then '00' when ${minuteOfHour} < '30' then '15'
    when ${minuteOfHour} < '45' then '30' else '45' end)`,
  hour: sql`(substr(events.ended_at, 1, 14) || '00')`,
};
