// How many tasks and numbers each viewer has sent in the current hour and day. The transaction of a claim counts, and locks the
// viewer's row until its commit (submissionStore.ts). So gateways that race count one after the other.
import { sql, type Kysely, type Selectable } from "kysely";
import type { Database } from "../database.ts";
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
  /** Deletes up to `limit` rows whose day is over for long, whatever `before` is. Returns their number. */
  purge(before: string, limit: number): Promise<number>;
}

const KEPT_MS = 7 * 86_400_000;

export function createUsageStore({ db }: Database): UsageStore {
  return {
    of: (viewer) =>
      guarded(async () => {
        const row = await db.selectFrom("viewer_usage").selectAll().where("viewer", "=", viewer).executeTakeFirst();
        return row ? usageOf(row) : null;
      }),
    purge: (_before, limit) =>
      guarded(async () => {
        const over = new Date(Date.now() - KEPT_MS).toISOString();
        const old = db.selectFrom("viewer_usage").select("viewer").where("day_start", "<", over).limit(limit);
        const gone = db.deleteFrom("viewer_usage").where("viewer", "in", old).where("day_start", "<", over);
        return Number((await gone.executeTakeFirst()).numDeletedRows);
      }),
  };
}

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
  const row = await trx
    .insertInto("viewer_usage")
    .values(added)
    .onConflict((conflict) =>
      conflict.column("viewer").doUpdateSet({
        hour_start: later("hour_start"),
        hour_tasks: addedTo("hour_tasks", "hour_start"),
        hour_numbers: addedTo("hour_numbers", "hour_start"),
        day_start: later("day_start"),
        day_tasks: addedTo("day_tasks", "day_start"),
        day_numbers: addedTo("day_numbers", "day_start"),
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return usageOf(row);
}

/** A gateway whose clock is behind counts in the hour that another one has begun. */
function later(start: string) {
  const [stored, given] = [sql.ref(`viewer_usage.${start}`), sql.ref(`excluded.${start}`)];
  return sql<string>`case when ${given} > ${stored} then ${given} else ${stored} end`;
}

/** Counts on, or begins at zero with a new hour or day. */
function addedTo(count: string, start: string) {
  const [stored, given] = [sql.ref(`viewer_usage.${start}`), sql.ref(`excluded.${start}`)];
  const counted = sql`case when ${given} > ${stored} then 0 else ${sql.ref(`viewer_usage.${count}`)} end`;
  return sql<number>`${counted} + ${sql.ref(`excluded.${count}`)}`;
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
