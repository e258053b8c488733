// Builds of projections. A build is one set of rows that was made from the log, with the cursor up to which it was. One build of a projection
// is LIVE, and readers get its rows. Another one may be made beside it (BUILDING). When it has reached the live one it takes its place.
import { sql, type Kysely, type Transaction } from "kysely";
import type { Database } from "../database.ts";
import { newestRowsOf, placesOf, type EventRow, type Place } from "../events/eventRows.ts";
import { jsonRows } from "../sqlHelpers.ts";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";
import { allTables } from "./allTables.ts";
import { lockProjections, type Added, type ProjectionTables, type ProjectionTrx } from "./projectionTables.ts";

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
   * False: the build is retired, or of another version.
   */
  add<Entry extends ReadEntry>(
    build: Pick<ProjectionBuild, "name" | "build" | "version">,
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
        if (!found || found.state === "RETIRED" || found.version !== own.version) return false;
        const { cursor } = found;
        const isFresh = (entry: ReadEntry) => cursor === null || entry.cursor > cursor;
        // Each cursor is signed when it is first read, and mostly none was read before.
        const fresh = entries.slice(0, 1).every(isFresh) ? entries : entries.filter(isFresh);
        const last = fresh.at(-1);
        if (!last) return true;
        const { positions, added } = await changesOf({ trx, kind }, fresh, of, lastUncheckedPosition);
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
  { trx, kind }: ProjectionTrx,
  entries: readonly Entry[],
  of: Contribute<Entry>,
  lastUncheckedPosition: number,
): Promise<{ positions: number[]; added: Added<unknown>[] }> {
  const positions = entries.map(of.seqOf);
  // Where each is the newest one of its call, that of a call with one revision has no rows yet.
  const areNewest = (await countNewest({ trx, kind }, positions)) === entries.length;
  const asked = areNewest ? entries.filter(({ revision }) => revision > 1) : entries;
  const places = await placesOf(trx, [...new Set(asked.map(({ sessionId }) => sessionId))]);
  const contributions = areNewest
    ? entries.map((entry, at) => ofEntry(entry, positions[at] as number))
    : await newestOf(places);
  const firsts = Map.groupBy(places, ({ sessionId }) => sessionId);
  const added = contributions.flatMap(({ sessionId, seq, contribution }) => {
    if (contribution === null) return [];
    const first = Math.min(seq, ...(firsts.get(sessionId) ?? []).map((place) => place.seq));
    return { contribution, first };
  });
  return { positions: places.map(({ seq }) => seq), added };

  function ofEntry(entry: Entry, seq: number) {
    return { sessionId: entry.sessionId, seq, contribution: of.ofEntry(entry, seq) };
  }
  async function newestOf(all: readonly Place[]) {
    const received = new Map(entries.map((entry, at) => [positions[at], entry]));
    const newest = all.filter(({ newest }) => newest === 1);
    const others = newest.filter(({ seq }) => !received.has(seq)).map(({ sessionId }) => sessionId);
    const rows = (await newestRowsOf(trx, others, lastUncheckedPosition)).filter(({ isIntact }) => isIntact);
    return [
      ...newest.flatMap(({ seq }) => {
        const entry = received.get(seq);
        return entry ? ofEntry(entry, seq) : [];
      }),
      ...rows.map((row) => ({ sessionId: row.sessionId, seq: row.seq, contribution: of.ofRow(row) })),
    ];
  }
}

/** How many of these positions the log still has, as the newest one of a call: others were erased, expired or revised since they were read. */
async function countNewest({ trx, kind }: ProjectionTrx, positions: readonly number[]): Promise<number> {
  const asked = jsonRows(
    kind,
    "asked",
    { seq: "bigint" },
    positions.map((seq) => ({ seq })),
  );
  const { rows } = await sql<{ found: number }>`select count(*) as found from ${asked} cross join events
    where events.seq = asked.seq and events.newest = 1`.execute(trx);
  return rows[0]?.found ?? 0;
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
