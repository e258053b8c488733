// Builds of projections. A build is one set of rows that was made from the log, with the cursor up to which it was. One build of a projection
// is LIVE, and readers get its rows. Another one may be made beside it (BUILDING). When it has reached the live one it takes its place.
import type { Kysely, Transaction } from "kysely";
import type { Database } from "../database.ts";
import { newestRowsOf, placesOf, type EventRow, type Place } from "../events/eventRows.ts";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";
import { allTables } from "./allTables.ts";
import { lockProjections, type ProjectionTables } from "./projectionTables.ts";

export interface ProjectionBuild {
  /** The projection's. */
  name: string;
  /** From 1 for each projection. */
  build: number;
  /** The version of the rule that makes the rows. Only gateways with this version add to the build. */
  version: string;
  state: "LIVE" | "BUILDING" | "RETIRED";
  /** Null: nothing was read yet. */
  cursor: string | null;
}

/** An entry of the log that a reader received. It is intact. */
export interface ReadEntry {
  sessionId: string;
  revision: number;
  cursor: string;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface ProjectionStore {
  /** All builds, of each projection in order. */
  builds(): Promise<ProjectionBuild[]>;
  /**
   * Sees to a build of this version: none if there is one that is live, or becomes it. `again`: a new one even so. Builds that others were
   * making are retired, so that the last start decides which version there is.
   */
  begin(name: string, version: string, again: boolean): Promise<void>;
  /**
   * Adds what the calls of these entries contribute now, and stores the cursor of the last entry, in one transaction. Entries at or before the
   * stored cursor are passed over. A contribution follows from the newest entry of its call: null where that is damaged, or gone.
   * False: the build is retired.
   */
  add<Entry extends ReadEntry>(
    build: Pick<ProjectionBuild, "name" | "build">,
    entries: readonly Entry[],
    of: Contribute<Entry>,
  ): Promise<boolean>;
  /**
   * A build that has reached the live one takes its place; that one is retired. The first one has to reach `head`, a cursor of the log: until
   * then readers get none. True if a build became live.
   */
  swap(name: string, head: string): Promise<boolean>;
  /** Deletes rows of retired builds, at most `limit` of each table. Returns their number. */
  deleteRetired(name: string, limit: number): Promise<number>;
}

/** What a call contributes, by its newest entry. Null: nothing. */
export interface Contribute<Entry extends ReadEntry> {
  /** Its position in the log. */
  seqOf(entry: Entry): number;
  /** An entry as the reader received it. */
  ofEntry(entry: Entry, seq: number): unknown;
  /** An intact row of an entry that the reader has not received yet. */
  ofRow(row: EventRow): unknown;
}

/** The durable reader that feeds a build. The store of readers holds its cursor. */
export const readerOfBuild = ({ name, build }: Pick<ProjectionBuild, "name" | "build">): string => `${name} ${build}`;

export function createProjectionStore(database: Database, lastUncheckedPosition: number): ProjectionStore {
  const { db, kind } = database;
  const change = <T>(run: (trx: Transaction<Tables>) => Promise<T>): Promise<T> =>
    guarded(() =>
      db.transaction().execute(async (trx) => {
        await lockProjections({ trx, kind });
        return run(trx);
      }),
    );
  const retire = (trx: Transaction<Tables>, { name, build }: ProjectionBuild) =>
    trx
      .updateTable("projections")
      .set({ state: "RETIRED" })
      .where("name", "=", name)
      .where("build", "=", build)
      .execute();

  return {
    builds: () => guarded(() => readBuilds(db)),
    begin: (name, version, again) =>
      change(async (trx) => {
        const builds = (await readBuilds(trx)).filter((each) => each.name === name);
        const live = builds.find(({ state }) => state === "LIVE");
        const building = builds.find(({ state }) => state === "BUILDING");
        const isMade = (building ?? live)?.version === version;
        if (isMade && !again) return;
        if (building) await retire(trx, building);
        if (live?.version === version && !again) return;
        const build = Math.max(0, ...builds.map((each) => each.build)) + 1;
        const first = await trx.selectFrom("events").select("seq").limit(1).executeTakeFirst();
        // A build of an empty log is complete.
        const state = live || first ? "BUILDING" : "LIVE";
        await trx.insertInto("projections").values({ name, build, version, state }).execute();
      }),
    add: (own, entries, of) =>
      change(async (trx) => {
        const { name, build } = own;
        const found = (await readBuilds(trx)).find((each) => each.name === name && each.build === build);
        if (!found || found.state === "RETIRED") return false;
        const { cursor } = found;
        const isFresh = (entry: ReadEntry) => cursor === null || entry.cursor > cursor;
        // Each cursor is signed when it is first read, and mostly none was read before.
        const fresh = entries.slice(0, 1).every(isFresh) ? entries : entries.filter(isFresh);
        const last = fresh.at(-1);
        if (!last) return true;
        const { positions, added } = await changesOf(trx, fresh, of, lastUncheckedPosition);
        await tablesOf(name).setCalls({ trx, kind }, build, positions, added);
        await storeCursor(trx, readerOfBuild(own), last.cursor);
        return true;
      }),
    swap: (name, head) =>
      change(async (trx) => {
        const builds = (await readBuilds(trx)).filter((each) => each.name === name);
        const live = builds.find(({ state }) => state === "LIVE");
        const next = builds.find(({ state }) => state === "BUILDING");
        if (!next || next.cursor === null || next.cursor < (live ? (live.cursor ?? "") : head)) return false;
        if (live) await retire(trx, live);
        await trx
          .updateTable("projections")
          .set({ state: "LIVE" })
          .where("name", "=", name)
          .where("build", "=", next.build)
          .execute();
        return true;
      }),
    async deleteRetired(name, limit) {
      const builds = (await guarded(() => readBuilds(db))).filter((each) => each.name === name);
      const [retired] = builds.filter(({ state }) => state === "RETIRED");
      if (!retired) return 0;
      return change(async (trx) => {
        const deleted = await tablesOf(name).deleteSome({ trx, kind }, retired.build, limit);
        // The last one keeps its number: a reader that ends later may still store that number's cursor.
        if (deleted === 0 && retired !== builds.at(-1)) await forget(trx, retired);
        return deleted;
      });
    },
  };
}

/** What to take back, and what the calls of these entries contribute. */
async function changesOf<Entry extends ReadEntry>(
  trx: Transaction<Tables>,
  entries: readonly Entry[],
  of: Contribute<Entry>,
  lastUncheckedPosition: number,
): Promise<{ positions: number[]; added: unknown[] }> {
  const newest = new Map(entries.map((entry) => [entry.sessionId, entry]));
  const contributions = (all: Iterable<Entry>) => Array.from(all, (entry) => of.ofEntry(entry, of.seqOf(entry)));
  if (await hasAll(trx, entries, of)) {
    // Those with one revision have no rows yet. A later entry of a call comes in a later batch.
    const revised = [...newest.values()].flatMap(({ sessionId, revision }) => (revision > 1 ? sessionId : []));
    const places = await placesOf(trx, revised);
    return { positions: places.map(({ seq }) => seq), added: contributions(newest.values()).filter(isPresent) };
  }
  const places = await placesOf(trx, [...newest.keys()]);
  const last = places.filter((place) => place.newest === 1);
  const isReceived = (place: Place) => newest.get(place.sessionId)?.revision === place.revision;
  const received = last.filter(isReceived).map(({ sessionId }) => newest.get(sessionId) as Entry);
  const others = last.filter((place) => !isReceived(place)).map(({ sessionId }) => sessionId);
  const rows = (await newestRowsOf(trx, others, lastUncheckedPosition)).filter(({ isIntact }) => isIntact);
  const added = [...contributions(received), ...rows.map((row) => of.ofRow(row))].filter(isPresent);
  return { positions: places.map(({ seq }) => seq), added };
}

const isPresent = (contribution: unknown) => contribution !== null;

/** Whether the log still has each of these consecutive entries, so that none was erased or expired since it was read, and none between is damaged. */
async function hasAll<Entry extends ReadEntry>(
  trx: Transaction<Tables>,
  entries: readonly Entry[],
  { seqOf }: Contribute<Entry>,
): Promise<boolean> {
  const count = trx.selectFrom("events").select((eb) => eb.fn.countAll<number>().as("entries"));
  const range = count.where("seq", ">=", seqOf(entries[0] as Entry)).where("seq", "<=", seqOf(entries.at(-1) as Entry));
  return (await range.executeTakeFirstOrThrow()).entries === entries.length;
}

function tablesOf(name: string): ProjectionTables<unknown> {
  const found = allTables.find((tables) => tables.name === name);
  if (!found) throw new Error(`There are no tables of the projection ${name}.`);
  return found;
}

async function readBuilds(db: Kysely<Tables>): Promise<ProjectionBuild[]> {
  const rows = await db.selectFrom("projections").selectAll().orderBy("name").orderBy("build").execute();
  if (rows.length === 0) return [];
  const readers = rows.map(({ name, build }) => readerOfBuild({ name, build }));
  const cursors = await db.selectFrom("readers").selectAll().where("name", "in", readers).execute();
  const cursorOf = new Map(cursors.map(({ name, cursor }) => [name, cursor]));
  return rows.map(({ name, build, version, state }) => ({
    name,
    build,
    version,
    state: state as ProjectionBuild["state"],
    cursor: cursorOf.get(readerOfBuild({ name, build })) ?? null,
  }));
}

async function storeCursor(trx: Transaction<Tables>, name: string, cursor: string): Promise<void> {
  await trx
    .insertInto("readers")
    .values({ name, cursor })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ cursor }))
    .execute();
}

/** Deletes a build without rows, and the cursors of such builds that a gateway has stored once more. */
async function forget(trx: Transaction<Tables>, { name, build }: ProjectionBuild): Promise<void> {
  await trx.deleteFrom("projections").where("name", "=", name).where("build", "=", build).execute();
  const left = (await readBuilds(trx)).filter((each) => each.name === name).map(readerOfBuild);
  const ofBuilds = trx.deleteFrom("readers").where("name", "like", `${name} %`);
  await (left.length > 0 ? ofBuilds.where("name", "not in", left) : ofBuilds).execute();
}
