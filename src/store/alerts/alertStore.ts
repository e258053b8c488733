// Alerts, what rules know of their subjects, and what is told of alerts. States, alerts and the cursor of their reader are written in one
// transaction under a lock, so that a gateway that has lost its lease adds nothing.
import { sql, type Transaction } from "kysely";
import { addAuditEvent, type Actor } from "../audit/auditStore.ts";
import type { Database } from "../database.ts";
import { chunksOf } from "../sqlHelpers.ts";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";
import {
  alertBy,
  alertOf,
  matching,
  openAlertsOf,
  purgeAlerts,
  purgedThrough,
  type Alert,
  type AlertFilter,
} from "./alertRows.ts";
import {
  cursorsOf,
  openAlerts,
  stateOf,
  statesOf,
  statesOfReader,
  writeJudgement,
  type Judgement,
  type OpenAlert,
  type StateKey,
  type StoredState,
} from "./alertWrites.ts";

export interface AlertNotice {
  id: number;
  kind: "RAISED" | "RESOLVED";
  alert: Alert;
}

/** `cursor`: up to where the reader has made the states. Null: it has never read. */
export interface OpenStates {
  states: readonly StoredState[];
  alerts: readonly OpenAlert[];
  cursor: string | null;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface AlertStore {
  /**
   * Judges entries of the log by the states of these keys, and stores what follows with the cursor of the last entry. Entries at or before
   * the stored cursor are passed over. Where that was set back, because the log is read again, states are made anew: the alerts that follow are
   * known by their instants. Returns the number of notices.
   */
  add<Entry extends { cursor: string }>(
    reader: string,
    entries: readonly Entry[],
    judge: {
      keysOf(entry: Entry): StateKey[];
      judge(entries: readonly Entry[], states: readonly StoredState[]): Judgement;
    },
  ): Promise<number>;
  /** Judges all states with an open alert, those of `also`, and all alerts that are not over. Returns the number of notices. */
  settle(reader: string, judge: (open: OpenStates) => Judgement, also?: readonly StateKey[]): Promise<number>;
  /** The newest first; `after`: only those before this id. */
  page(filter: AlertFilter, page: { after: number | null; limit: number }): Promise<Alert[]>;
  byId(id: number): Promise<Alert | null>;
  /** The newest open alerts about each of these tasks, at most so many. Without entries for tasks that have none. */
  openOf(taskIds: readonly string[], limit: number): Promise<ReadonlyMap<string, Alert[]>>;
  /** Notes who has seen to it, with an entry in the audit log. The first one stays. Null: there is no such alert. */
  acknowledge(id: number, by: Actor): Promise<Alert | null>;
  noticeHead(): Promise<number>;
  /** The place after which all was told that was raised after this alert, and perhaps some of before. Null: that is no longer known. */
  placeOf(id: number): Promise<number | null>;
  /** The last place of a raise that is no longer kept. */
  purgedThrough(): Promise<number>;
  /** In order. */
  noticesAfter(id: number, limit: number): Promise<AlertNotice[]>;
  /** How many notices are after a place. */
  noticesLeft(id: number): Promise<number>;
  openCounts(): Promise<ReadonlyMap<string, number>>;
  /** Deletes at most `limit` ended alerts, and as many states, of before that instant. Returns their number. */
  purge(before: string, limit: number): Promise<number>;
}

const ALERT_LOCK = 7_240_004;
/** As lockProjections. */
const STALLED = "2s";

export function createAlertStore({ db, kind, notify }: Database): AlertStore {
  async function change(run: (trx: Transaction<Tables>) => Promise<number>): Promise<number> {
    const told = await guarded(() =>
      db.transaction().execute(async (trx) => {
        if (kind === "postgres")
          await sql`select set_config('idle_in_transaction_session_timeout', ${STALLED}, true),
            pg_advisory_xact_lock(${sql.lit(ALERT_LOCK)})`.execute(trx);
        return run(trx);
      }),
    );
    if (told > 0) await notify();
    return told;
  }
  const noticeHead = () =>
    guarded(async () => {
      const newest = db.selectFrom("alert_notices").select("id").orderBy("id", "desc").limit(1);
      return (await newest.executeTakeFirst())?.id ?? 0;
    });
  return {
    add: (reader, entries, { keysOf, judge }) =>
      change(async (trx) => {
        const [stored, through] = await cursorsOf(trx, [reader, statesOfReader(reader)]);
        if (through !== undefined && (stored ?? "") < through)
          await trx.deleteFrom("alert_states").where("reader", "=", reader).execute();
        const fresh = entries.filter(({ cursor }) => cursor > (stored ?? ""));
        const last = fresh.at(-1);
        if (!last) return 0;
        const states = await statesOf(trx, fresh.flatMap(keysOf));
        const told = await writeJudgement(trx, judge(fresh, states));
        const { cursor } = last;
        const names = [reader, statesOfReader(reader)];
        const placed = trx.insertInto("readers").values(names.map((name) => ({ name, cursor })));
        await placed.onConflict((conflict) => conflict.column("name").doUpdateSet({ cursor })).execute();
        return told;
      }),
    settle: (reader, judge, also = []) =>
      change(async (trx) => {
        const open = await trx.selectFrom("alert_states").selectAll().where("open", "=", 1).execute();
        const others = (await statesOf(trx, also)).filter(({ isOpen }) => !isOpen);
        const alerts = await openAlerts(trx);
        if (open.length === 0 && alerts.length === 0 && also.length === 0) return 0;
        const [cursor = null] = await cursorsOf(trx, [reader]);
        return writeJudgement(trx, judge({ states: [...open.map(stateOf), ...others], alerts, cursor }));
      }),
    page: (filter, { after, limit }) =>
      guarded(async () => {
        let page = matching(db, filter);
        if (after !== null) page = page.where("id", "<", after);
        return (await page.orderBy("id", "desc").limit(limit).execute()).map(alertOf);
      }),
    byId: (id) => guarded(() => alertBy(db, id)),
    openOf: (taskIds, limit) =>
      guarded(async () => {
        const found: Alert[] = [];
        for (const some of chunksOf(taskIds)) found.push(...(await openAlertsOf(db, some, limit)));
        return Map.groupBy(found, ({ taskId }) => taskId ?? "");
      }),
    acknowledge: (id, { actor, at }) =>
      guarded(async () => {
        const isFirst = await db.transaction().execute(async (trx) => {
          const own = trx.updateTable("alerts").where("id", "=", id).where("acknowledged_at", "is", null);
          const done = await own.set({ acknowledged_at: at, acknowledged_by: actor }).executeTakeFirst();
          if (done.numUpdatedRows === 0n) return false;
          await addAuditEvent(trx, { actor, at, action: "ALERT_ACKNOWLEDGED", subject: String(id), count: 1 });
          return true;
        });
        if (isFirst) await notify();
        return alertBy(db, id);
      }),
    noticeHead,
    placeOf: (id) =>
      guarded(async () => {
        const head = await noticeHead();
        if (!(await alertBy(db, id))) return null;
        const raised = db.selectFrom("alert_notices").select("id").where("kind", "=", "RAISED");
        const own = await raised.where("alert_id", "=", id).executeTakeFirst();
        // Nobody may have been told of it, or later than of others that were raised after it.
        const later = await raised.where("alert_id", ">", id).orderBy("id").limit(1).executeTakeFirst();
        const place = Math.min(own?.id ?? Infinity, later ? later.id - 1 : (own?.id ?? head));
        return place < (await purgedThrough(db)) ? null : place;
      }),
    purgedThrough: () => guarded(() => purgedThrough(db)),
    noticesAfter: (id, limit) =>
      guarded(async () => {
        const notices = db
          .selectFrom("alert_notices as notice")
          .innerJoin("alerts", "alerts.id", "notice.alert_id")
          .selectAll("alerts")
          .select(["notice.id as notice_id", "notice.kind as notice_kind"]);
        const found = await notices.where("notice.id", ">", id).orderBy("notice.id").limit(limit).execute();
        return found.map(({ notice_id, notice_kind, ...alert }) => ({
          id: notice_id,
          kind: notice_kind as AlertNotice["kind"],
          alert: alertOf(alert),
        }));
      }),
    noticesLeft: (id) =>
      guarded(async () => {
        const left = db.selectFrom("alert_notices").select(sql<number>`count(*)`.as("count"));
        return (await left.where("id", ">", id).executeTakeFirstOrThrow()).count;
      }),
    openCounts: () =>
      guarded(async () => {
        const open = db.selectFrom("alerts").select(["rule", sql<number>`count(*)`.as("count")]);
        const rows = await open.where("resolved_at", "is", null).groupBy("rule").execute();
        return new Map(rows.map(({ rule, count }) => [rule, count]));
      }),
    purge: (before, limit) =>
      guarded(async () => {
        const alerts = await db.transaction().execute((trx) => purgeAlerts(trx, before, limit));
        const states = await sql`delete from alert_states where (rule, subject) in (
          select rule, subject from alert_states where at < ${before} and open = 0 limit ${limit})`.execute(db);
        return Math.max(alerts, Number(states.numAffectedRows ?? 0n));
      }),
  };
}
