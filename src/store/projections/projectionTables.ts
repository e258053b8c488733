// The port of a projection's tables, and how retention and erasure reach all of them.
import { sql, type Transaction } from "kysely";
import type { DatabaseKind } from "../database.ts";
import type { Tables } from "../tables.ts";

export interface ProjectionTrx {
  trx: Transaction<Tables>;
  kind: DatabaseKind;
}

/** What a call contributes by its newest entry. */
export interface Added<Contribution> {
  contribution: Contribution;
  /** The position of the oldest entry of the call that the log has. */
  first: number;
}

/** What the calls of the log contribute to tables, one set of rows for each build. Every member runs under `lockProjections`. */
export interface ProjectionTables<Contribution> {
  name: string;
  /**
   * Takes back what the calls contributed of which entries are at these positions, and adds other contributions, at most one of a call. The rows
   * then are what they would be if the calls had come in any other order, and any number of times. No call that is added has rows at other positions.
   */
  setCalls(
    db: ProjectionTrx,
    build: number,
    positions: readonly number[],
    added: readonly Added<Contribution>[],
  ): Promise<void>;
  /** The positions up to this one at which there are rows. */
  callsThrough(db: ProjectionTrx, position: number): Promise<{ build: number; seq: number }[]>;
  /** Deletes some rows of a build, at most `limit` of each table. Returns their number; 0: none is left. */
  deleteSome(db: ProjectionTrx, build: number, limit: number): Promise<number>;
}

const PROJECTION_LOCK = 7_240_003;
/** A gateway that stalls while it holds the lock loses its transaction, so that an erasure, which holds the log, goes on. */
const STALLED = "2s";

/**
 * Until the end of the transaction no other gateway changes a projection, or deletes entries of the log. So no row can be made of an entry
 * that is deleted at the same time. On SQLite transactions run one after the other.
 */
export async function lockProjections({ trx, kind }: ProjectionTrx): Promise<void> {
  if (kind === "sqlite") return;
  await sql`select set_config('idle_in_transaction_session_timeout', ${STALLED}, true),
    pg_advisory_xact_lock(${sql.lit(PROJECTION_LOCK)})`.execute(trx);
}

type AllTables = readonly ProjectionTables<never>[];

/** For a transaction that deletes the entries at these positions of the log. */
export async function removeCalls(db: ProjectionTrx, all: AllTables, positions: readonly number[]): Promise<void> {
  if (positions.length === 0) return;
  await lockProjections(db);
  const builds = await db.trx.selectFrom("projections").select(["name", "build"]).execute();
  for (const tables of all)
    for (const { build } of builds.filter(({ name }) => name === tables.name))
      await tables.setCalls(db, build, positions, []);
}

/** For the transaction that deletes the entries of the log up to this position, under the lock. */
export async function purgeCalls(db: ProjectionTrx, all: AllTables, through: number): Promise<void> {
  for (const tables of all) {
    const byBuild = Map.groupBy(await tables.callsThrough(db, through), ({ build }) => build);
    for (const [build, calls] of byBuild)
      await tables.setCalls(
        db,
        build,
        calls.map(({ seq }) => seq),
        [],
      );
  }
}
