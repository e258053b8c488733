// Where destinations are in the log, and how their last attempts ended. All gateways share them; the holder of a destination's lease writes.
import { sql, type Kysely, type Selectable, type UpdateObject } from "kysely";
import { addAuditEvent, type Actor } from "../audit/auditStore.ts";
import type { Database } from "../database.ts";
import { databaseNow } from "../sqlHelpers.ts";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";
import type { DestinationsTable } from "./destinationTables.ts";
import { answerOf, columnsOf, type Answer } from "./lastAnswer.ts";
import { createLetterStore, type LetterStore } from "./letterStore.ts";
import { waitOf } from "./waits.ts";

export type DestinationStatus = "ACTIVE" | "PAUSED" | "DISABLED";
/** Why a destination was disabled. GONE: it answered 410. FAILING: it has taken nothing for days. */
export type DisabledReason = "GONE" | "FAILING";

export interface DestinationState {
  name: string;
  run: number;
  state: DestinationStatus;
  reason: DisabledReason | null;
  /** Null: it has no place in the log, because it gets no calls. */
  cursor: string | null;
  failures: number;
  failingSince: string | null;
  /** Milliseconds until the next attempt. */
  waitMs: number;
  delivered: number;
  skipped: number;
  lastAnswer: Answer | null;
}

export interface Progress {
  /** Null: it stays where it is. */
  cursor: string | null;
  delivered: number;
  skipped: number;
  /** How the last attempt ended. Null: none was made meanwhile. */
  answer: Answer | null;
}

/** How a receiver fares. `waitMs`: nothing is sent before. */
export type KeptHealth = Pick<DestinationState, "failures" | "failingSince" | "waitMs">;

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface DestinationStore extends LetterStore {
  read(name: string): Promise<DestinationState | null>;
  all(): Promise<DestinationState[]>;
  /**
   * Adds an active destination that begins after the cursor; null: it gets no calls. One that is known gets the cursor if it has none, and stays
   * as it is otherwise.
   */
  begin(name: string, cursor: string | null): Promise<void>;
  /** Stores how far a run is, and how its receiver fares. An earlier cursor is not stored. False: the run is over. */
  advance(name: string, run: number, progress: Progress & KeptHealth): Promise<boolean>;
  /** When the first entry after a position was received; null: there is none. */
  oldestAfter(position: number): Promise<string | null>;
  /** Ends the run. False: it was over. */
  disable(name: string, run: number, reason: DisabledReason): Promise<boolean>;
  /** Begins another run, with an entry in the audit log. `cursor`: where it goes on; null: where it is. Null: the destination is not known. */
  change(
    name: string,
    to: { state: "ACTIVE" | "PAUSED"; cursor: string | null },
    by: Actor,
  ): Promise<DestinationState | null>;
}

/** In the column `cursor`, of a destination that gets no calls. */
const NO_PLACE = "";

export function createDestinationStore(database: Database): DestinationStore {
  const { db, kind } = database;
  const now = databaseNow(kind);
  const select = (own: Kysely<Tables>) =>
    own.selectFrom("destinations").selectAll().select(now.as("now")).orderBy("name");
  const read = async (own: Kysely<Tables>, name: string) => {
    const row = await select(own).where("name", "=", name).executeTakeFirst();
    return row ? stateOf(row) : null;
  };
  async function update(name: string, run: number, set: UpdateObject<Tables, "destinations">): Promise<boolean> {
    const own = db.updateTable("destinations").where("name", "=", name).where("run", "=", run);
    const { numUpdatedRows } = await own.where("state", "=", "ACTIVE").set(set).executeTakeFirst();
    return numUpdatedRows > 0n;
  }
  return {
    ...createLetterStore(database),
    read: (name) => guarded(() => read(db, name)),
    all: () => guarded(async () => (await select(db).execute()).map(stateOf)),
    begin: (name, cursor) =>
      guarded(async () => {
        const added = db
          .insertInto("destinations")
          .values({ name, run: 1, state: "ACTIVE", cursor: cursor ?? NO_PLACE });
        await added
          .onConflict((conflict) =>
            conflict
              .column("name")
              .doUpdateSet((eb) => ({ cursor: eb.ref("excluded.cursor") }))
              .where("destinations.cursor", "=", NO_PLACE),
          )
          .execute();
      }),
    advance: (name, run, { cursor, delivered, skipped, answer, failures, failingSince, waitMs }) =>
      guarded(() =>
        update(name, run, {
          ...(cursor === null
            ? {}
            : { cursor: sql<string>`case when cursor < ${cursor} then ${cursor} else cursor end` }),
          delivered: sql<number>`delivered + ${delivered}`,
          skipped: sql<number>`skipped + ${skipped}`,
          failures,
          failing_since: failingSince,
          next_at: waitMs === 0 ? 0 : sql<number>`${now} + ${Math.round(waitMs)}`,
          ...(answer === null ? {} : columnsOf(answer)),
        }),
      ),
    oldestAfter: (position) =>
      guarded(async () => {
        const later = db.selectFrom("events").select("received_at").where("seq", ">", position);
        return (await later.orderBy("seq").limit(1).executeTakeFirst())?.received_at ?? null;
      }),
    disable: (name, run, reason) =>
      guarded(() => update(name, run, { state: "DISABLED", reason, run: sql<number>`run + 1` })),
    change: (name, { state, cursor }, by) =>
      guarded(() =>
        db.transaction().execute(async (trx) => {
          const set = { state, reason: null, failures: 0, failing_since: null, next_at: 0, run: sql<number>`run + 1` };
          const own = trx.updateTable("destinations").where("name", "=", name);
          const changed = await own
            .set({ ...set, ...(cursor === null ? {} : { cursor }) })
            .returning("name")
            .executeTakeFirst();
          if (!changed) return null;
          await addAuditEvent(trx, { ...by, action: "DESTINATION_CHANGED", subject: null, count: 1 });
          return read(trx, name);
        }),
      ),
  };
}

function stateOf(row: Selectable<DestinationsTable> & { now: number }): DestinationState {
  return {
    name: row.name,
    run: row.run,
    state: row.state as DestinationStatus,
    reason: row.reason as DisabledReason | null,
    cursor: row.cursor === NO_PLACE ? null : row.cursor,
    failures: row.failures,
    failingSince: row.failing_since,
    waitMs: waitOf(row.next_at, row.now),
    delivered: row.delivered,
    skipped: row.skipped,
    lastAnswer: answerOf(row),
  };
}
