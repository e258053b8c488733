// What the database knows of the time: its own clock, the time that gateways accepted last, and the time through which they purged.
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { databaseNow } from "../sqlHelpers.ts";
import { guarded } from "../storeError.ts";
import { epochMsOf } from "../../format/instant.ts";

/** Epoch milliseconds. Null: never written. */
export interface ClockState {
  /** The time that a gateway accepted last. */
  accepted: number | null;
  /** When an operator said that the clock is right. A jump of the clock ends it. */
  confirmed: number | null;
  /** The time as which the last purge counted: it deleted what had expired then. */
  purgedAsOf: number | null;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface ClockStore {
  /** PostgreSQL's clock in epoch milliseconds. Null on SQLite, which has no clock of its own. */
  databaseTime(): Promise<number | null>;
  state(): Promise<ClockState>;
  /** Writes the members that are given; null deletes. */
  save(state: Partial<ClockState>): Promise<void>;
  /**
   * The latest time that gateways left in the database, and that a SQLite file was last written. Null: an empty database. It stands in
   * where a version without `accepted` wrote the database.
   */
  lastTrace(): Promise<number | null>;
}

const names = {
  accepted: "clock_accepted",
  confirmed: "clock_confirmed",
  purgedAsOf: "purged_as_of",
} as const satisfies Record<keyof ClockState, string>;

export function createClockStore({ db, kind, lastWrittenAt }: Database): ClockStore {
  async function newestText(): Promise<string | null> {
    const events = db.selectFrom("events").select("received_at as at").orderBy("seq", "desc").limit(1);
    const submissions = db.selectFrom("submissions").select((eb) => eb.fn.max("submitted_at").as("at"));
    const search = db.selectFrom("settings").select("value as at").where("name", "=", "reconcile_last_search");
    const rows = await Promise.all([events, submissions, search].map((query) => query.executeTakeFirst()));
    return rows.map((row) => row?.at ?? "").reduce((a, b) => (a > b ? a : b)) || null;
  }

  return {
    databaseTime: () =>
      guarded(async () => {
        if (kind === "sqlite") return null;
        const { rows } = await sql<{ now: number }>`select ${databaseNow(kind)} as now`.execute(db);
        return Number(rows[0]?.now);
      }),
    state: () =>
      guarded(async () => {
        const rows = await db.selectFrom("settings").selectAll().where("name", "in", Object.values(names)).execute();
        const stored = new Map(rows.map(({ name, value }) => [name, epochMsOf(value)]));
        const valueOf = (key: keyof ClockState) => stored.get(names[key]) ?? null;
        return { accepted: valueOf("accepted"), confirmed: valueOf("confirmed"), purgedAsOf: valueOf("purgedAsOf") };
      }),
    save: (state) =>
      guarded(async () => {
        const given = Object.entries(state) as [keyof ClockState, number | null][];
        const gone = given.filter(([, at]) => at === null).map(([key]) => names[key]);
        const values = given.flatMap(([key, at]) =>
          at === null ? [] : [{ name: names[key], value: new Date(at).toISOString() }],
        );
        if (gone.length > 0) await db.deleteFrom("settings").where("name", "in", gone).execute();
        if (values.length === 0) return;
        await db
          .insertInto("settings")
          .values(values)
          .onConflict((conflict) => conflict.column("name").doUpdateSet((eb) => ({ value: eb.ref("excluded.value") })))
          .execute();
      }),
    lastTrace: () =>
      guarded(async () => {
        const newest = await newestText();
        // A new file was written just now, too.
        return newest === null ? null : Math.max(epochMsOf(newest), lastWrittenAt ?? 0);
      }),
  };
}
