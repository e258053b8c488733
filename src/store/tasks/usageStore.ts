// How many tasks and numbers each viewer has sent in the current hour and day. The transaction of a claim counts, and locks the
// viewer's row until its commit (submissionStore.ts). So gateways that race count one after the other.
import { sql, type Kysely, type RawBuilder, type Selectable } from "kysely";
import { epochMsOf, instantOf } from "../../format/instant.ts";
import { DAY_MS } from "../../util/durations.ts";
import type { Database } from "../database.ts";
import { chunksOf } from "../sqlHelpers.ts";
import { guarded } from "../storeError.ts";
import type { Tables, ViewerUsageTable } from "../tables.ts";

/** The first instants of the hour and the day in which a submission counts. */
export interface UsagePeriods {
  hourStart: string;
  dayStart: string;
}

export interface Usage extends UsagePeriods {
  hourTasks: number;
  hourNumbers: number;
  dayTasks: number;
  dayNumbers: number;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface UsageStore {
  /** What was counted last, also if its hour or day is over. Null: nothing. */
  of(viewer: string): Promise<Usage | null>;
  /** The same of several viewers, without entries for those of which nothing was counted. */
  ofEach(viewers: readonly string[]): Promise<ReadonlyMap<string, Usage>>;
  /** Deletes up to `limit` rows whose day began before an instant. Returns their number. */
  purge(before: string, limit: number): Promise<number>;
}

export function createUsageStore({ db }: Database): UsageStore {
  return {
    of: (viewer) =>
      guarded(async () => {
        const row = await db.selectFrom("viewer_usage").selectAll().where("viewer", "=", viewer).executeTakeFirst();
        return row ? usageOf(row) : null;
      }),
    ofEach: (viewers) =>
      guarded(async () => {
        const found = new Map<string, Usage>();
        for (const some of chunksOf(viewers)) {
          const rows = await db.selectFrom("viewer_usage").selectAll().where("viewer", "in", some).execute();
          for (const row of rows) found.set(row.viewer, usageOf(row));
        }
        return found;
      }),
    purge: (before, limit) =>
      guarded(async () => {
        const old = db.selectFrom("viewer_usage").select("viewer").where("day_start", "<", before).limit(limit);
        const gone = db.deleteFrom("viewer_usage").where("viewer", "in", old).where("day_start", "<", before);
        return Number((await gone.executeTakeFirst()).numDeletedRows);
      }),
  };
}

/** The clocks of gateways and the days of time zones differ by less. */
const MAX_AHEAD_MS = 2 * DAY_MS;
const laterBy = (instant: string, ms: number) => instantOf(epochMsOf(instant) + ms);

/** Adds a task with its numbers, and returns the counts with it. Call it inside the transaction, which may be rolled back. */
export async function countUsage(
  trx: Kysely<Tables>,
  { viewer, numberCount }: { viewer: string; numberCount: number },
  { hourStart, dayStart }: UsagePeriods,
): Promise<Usage> {
  const added = {
    viewer,
    hour_start: hourStart,
    hour_tasks: 1,
    hour_numbers: numberCount,
    day_start: dayStart,
    day_tasks: 1,
    day_numbers: numberCount,
  };
  const isHourOver = isOver("hour_start", laterBy(hourStart, MAX_AHEAD_MS));
  const isDayOver = isOver("day_start", laterBy(dayStart, MAX_AHEAD_MS));
  const row = await trx
    .insertInto("viewer_usage")
    .values(added)
    .onConflict((conflict) =>
      conflict.column("viewer").doUpdateSet({
        hour_start: later("hour_start", isHourOver),
        hour_tasks: addedTo("hour_tasks", isHourOver),
        hour_numbers: addedTo("hour_numbers", isHourOver),
        day_start: later("day_start", isDayOver),
        day_tasks: addedTo("day_tasks", isDayOver),
        day_numbers: addedTo("day_numbers", isDayOver),
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return usageOf(row);
}

/** A gateway whose clock is behind counts in the hour that another one has begun. */
function later(start: string, isOver: RawBuilder<boolean>) {
  return sql<string>`case when ${isOver} then ${sql.ref(`excluded.${start}`)} else ${sql.ref(`viewer_usage.${start}`)} end`;
}

/** Counts on, or begins at zero with a new hour or day. */
function addedTo(count: string, isOver: RawBuilder<boolean>) {
  const counted = sql`case when ${isOver} then 0 else ${sql.ref(`viewer_usage.${count}`)} end`;
  return sql<number>`${counted} + ${sql.ref(`excluded.${count}`)}`;
}

/**
 * Whether the stored hour or day is over. So is one that begins much later than the given one: a clock that was far ahead wrote it, and
 * it must not count for months.
 */
function isOver(start: string, latest: string): RawBuilder<boolean> {
  const [stored, given] = [sql.ref(`viewer_usage.${start}`), sql.ref(`excluded.${start}`)];
  return sql<boolean>`(${given} > ${stored} or ${stored} > ${latest})`;
}

/** Takes a task back that was not sent, from the hour and day in which it counted (`at`). Call it inside the transaction. */
export async function giveBackUsage(
  trx: Kysely<Tables>,
  { viewer, numberCount, at }: { viewer: string; numberCount: number; at: string },
): Promise<void> {
  const without = (count: string, start: string, less: number) =>
    sql<number>`case when ${sql.ref(start)} <= ${at} then ${sql.ref(count)} - ${less} else ${sql.ref(count)} end`;
  await trx
    .updateTable("viewer_usage")
    .set({
      hour_tasks: without("hour_tasks", "hour_start", 1),
      hour_numbers: without("hour_numbers", "hour_start", numberCount),
      day_tasks: without("day_tasks", "day_start", 1),
      day_numbers: without("day_numbers", "day_start", numberCount),
    })
    .where("viewer", "=", viewer)
    .execute();
}

function usageOf(row: Selectable<ViewerUsageTable>): Usage {
  return {
    hourStart: row.hour_start,
    hourTasks: row.hour_tasks,
    hourNumbers: row.hour_numbers,
    dayStart: row.day_start,
    dayTasks: row.day_tasks,
    dayNumbers: row.day_numbers,
  };
}
