// Imports of calls that ended earlier: what was asked for, and how far each is. All gateways share them; one runs at a time.
import { sql, type Kysely, type Selectable } from "kysely";
import { addAuditEvent, type Actor } from "../audit/auditStore.ts";
import type { Database } from "../database.ts";
import { guarded } from "../storeError.ts";
import type { HistoryImportsTable, Tables } from "../tables.ts";
import { readHead } from "./purgeEvents.ts";

export type HistoryImportState = "RUNNING" | "DONE" | "CANCELLED" | "FAILED";

/** Instants are RFC 3339 text in UTC with milliseconds. */
export interface HistoryImport {
  id: number;
  since: string;
  until: string;
  /** `since`, or the oldest time that the retention kept when it began. */
  keptSince: string;
  /** Everything from `keptSince` to here was read. */
  readThrough: string;
  windows: number;
  /** Calls that it added to the log. */
  calls: number;
  /** Rows that cannot be stored as calls that have ended. */
  leftOut: number;
  /** Calls before `keptSince`, as the service counts them. Null: not counted yet. */
  tooOld: number | null;
  state: HistoryImportState;
  /** Why it failed, or waits. */
  problem: string | null;
  startedBy: string;
  startedAt: string;
  endedAt: string | null;
}

export interface ReadWindow {
  /** What was the import's `readThrough` before. */
  from: string;
  to: string;
  leftOut: number;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface HistoryImportStore {
  /** Starts an import, with an entry in the audit log. Null: one is running. */
  start(asked: Pick<HistoryImport, "since" | "until" | "keptSince">, by: Actor): Promise<HistoryImport | null>;
  /** The newest one. Null: there never was one. */
  latest(): Promise<HistoryImport | null>;
  running(): Promise<HistoryImport | null>;
  /** Whether an import runs, was complete or added calls. */
  hasFilled(): Promise<boolean>;
  /**
   * Notes a window whose calls are in the log, and counts them there: what was read by a gateway that was killed counts, too. Returns
   * the import. Null: it was cancelled, or another gateway noted this window.
   */
  saveWindow(id: number, window: ReadWindow): Promise<HistoryImport | null>;
  saveTooOld(id: number, tooOld: number): Promise<void>;
  /** Notes why a running import waits. */
  saveProblem(id: number, problem: string): Promise<void>;
  /** Ends a running import. */
  end(id: number, how: { state: "DONE" | "FAILED"; problem: string | null; at: string }): Promise<void>;
  /** Ends the running import, with an entry in the audit log. Returns the newest import. */
  cancel(by: Actor): Promise<HistoryImport | null>;
}

export function createHistoryImportStore(database: Database): HistoryImportStore {
  const { db } = database;
  const running = (id: number) => db.updateTable("history_imports").where("id", "=", id).where("state", "=", "RUNNING");
  const find = (own: Kysely<Tables>, state?: HistoryImportState) => {
    const newest = own.selectFrom("history_imports").selectAll().orderBy("id", "desc").limit(1);
    return (state ? newest.where("state", "=", state) : newest).executeTakeFirst();
  };
  return {
    start: ({ since, until, keptSince }, { actor, at }) =>
      guarded(() =>
        db.transaction().execute(async (trx) => {
          const started = await trx
            .insertInto("history_imports")
            .values({
              since,
              until,
              kept_since: keptSince,
              read_through: keptSince,
              counted_through: await readHead({ db: trx }),
              state: "RUNNING",
              started_by: actor,
              started_at: at,
            })
            .onConflict((conflict) => conflict.doNothing())
            .returningAll()
            .executeTakeFirst();
          if (!started) return null;
          await addAuditEvent(trx, { actor, at, action: "HISTORY_IMPORTED", subject: null, count: 1 });
          return importOf(started);
        }),
      ),
    latest: () => guarded(async () => importOrNull(await find(db))),
    running: () => guarded(async () => importOrNull(await find(db, "RUNNING"))),
    hasFilled: () =>
      guarded(async () => {
        const filled = db.selectFrom("history_imports").select("id");
        const row = filled.where((eb) => eb.or([eb("state", "in", ["RUNNING", "DONE"]), eb("calls", ">", 0)]));
        return (await row.limit(1).executeTakeFirst()) !== undefined;
      }),
    saveWindow: (id, { from, to, leftOut }) =>
      guarded(async () => {
        const saved = running(id)
          .where("read_through", "=", from)
          .set((eb) => ({
            read_through: to,
            windows: eb("windows", "+", 1),
            left_out: eb("left_out", "+", leftOut),
            ...counted,
            problem: null,
          }));
        return importOrNull(await saved.returningAll().executeTakeFirst());
      }),
    saveTooOld: (id, tooOld) => guarded(async () => void (await running(id).set({ too_old: tooOld }).execute())),
    saveProblem: (id, problem) => guarded(async () => void (await running(id).set({ problem }).execute())),
    end: (id, { state, problem, at }) =>
      guarded(
        async () =>
          void (await running(id)
            .set({ state, problem, ended_at: at, ...counted })
            .execute()),
      ),
    cancel: ({ actor, at }) =>
      guarded(() =>
        db.transaction().execute(async (trx) => {
          const cancelled = trx.updateTable("history_imports").where("state", "=", "RUNNING");
          const row = await cancelled
            .set({ state: "CANCELLED", ended_at: at, ...counted })
            .returning("id")
            .executeTakeFirst();
          if (row) await addAuditEvent(trx, { actor, at, action: "HISTORY_IMPORT_CANCELLED", subject: null, count: 1 });
          return importOrNull(await find(trx));
        }),
      ),
  };
}

/** Counts the calls that were added since it was last counted. */
const counted = {
  calls: sql<number>`calls + (select count(*) from events
    where seq > counted_through and source = 'IMPORTED' and revision = 1)`,
  counted_through: sql<number>`coalesce((select max(seq) from events), counted_through)`,
};

const importOrNull = (row: Selectable<HistoryImportsTable> | undefined) => (row ? importOf(row) : null);

function importOf(row: Selectable<HistoryImportsTable>): HistoryImport {
  return {
    id: row.id,
    since: row.since,
    until: row.until,
    keptSince: row.kept_since,
    readThrough: row.read_through,
    windows: row.windows,
    calls: row.calls,
    leftOut: row.left_out,
    tooOld: row.too_old,
    state: row.state as HistoryImportState,
    problem: row.problem,
    startedBy: row.started_by,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}
