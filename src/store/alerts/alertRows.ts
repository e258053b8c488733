// Reads alerts.
import { sql, type Kysely, type Selectable, type Transaction } from "kysely";
import type { Tables } from "../tables.ts";
import type { AlertsTable } from "./alertTables.ts";
import type { NewAlert } from "./alertWrites.ts";

export interface Alert extends NewAlert {
  id: number;
  resolvedAt: string | null;
  ending: string | null;
  acknowledgedAt: string | null;
  acknowledgedBy: string | null;
}

export interface AlertFilter {
  open?: boolean | undefined;
  taskIds?: readonly string[] | undefined;
  assistantIds?: readonly string[] | undefined;
  /** All but those of this kind. */
  butKind?: string | undefined;
  /** Only those that a viewer with access to some rows may see. */
  own?: OwnAlerts | undefined;
}

/** Alerts about assistants, or about tasks: of these, and of those that a viewer submitted. Null: any. */
export type OwnAlerts =
  | { of: "assistants"; assistantIds: readonly string[] }
  | { of: "tasks"; taskIds: readonly string[] | null; submittedBy: string | null };

export function matching(db: Kysely<Tables>, { open, taskIds, assistantIds, butKind, own }: AlertFilter) {
  let rows = db.selectFrom("alerts").selectAll();
  if (open !== undefined) rows = rows.where("resolved_at", open ? "is" : "is not", null);
  if (taskIds) rows = rows.where("task_id", "in", nonEmpty(taskIds));
  if (assistantIds) rows = rows.where("assistant_id", "in", nonEmpty(assistantIds));
  if (butKind !== undefined) rows = rows.where("kind", "!=", butKind);
  return own ? rows.where(({ and }) => and([ownOf(own)])) : rows;
}

function ownOf(own: OwnAlerts) {
  if (own.of === "assistants") return sql<boolean>`assistant_id in (${sql.join(nonEmpty(own.assistantIds))})`;
  const { taskIds, submittedBy } = own;
  const named = taskIds ? sql`and task_id in (${sql.join(nonEmpty(taskIds))})` : sql``;
  const submitted = sql`and task_id in (select submissions.task_id from submissions where viewer = ${submittedBy}
    and matched_by = 'MARK')`;
  return sql<boolean>`(task_id is not null ${named} ${submittedBy === null ? sql`` : submitted})`;
}

/** An empty list matches nothing. */
const nonEmpty = (ids: readonly string[]): string[] => (ids.length === 0 ? [""] : [...ids]);

const COLUMNS = [
  "id",
  "rule",
  "kind",
  "subject",
  "task_id",
  "assistant_id",
  "raised_at",
  "value",
  "threshold",
  "calls",
  "detail",
  "resolved_at",
  "ending",
  "acknowledged_at",
  "acknowledged_by",
] as const;

/** The newest of each task come first. */
export async function openAlertsOf(db: Kysely<Tables>, taskIds: readonly string[], limit: number): Promise<Alert[]> {
  const ranked = db
    .selectFrom("alerts")
    .selectAll()
    .select(sql<number>`row_number() over (partition by task_id order by id desc)`.as("place"))
    .where("resolved_at", "is", null)
    .where("task_id", "in", nonEmpty(taskIds));
  const newest = db.selectFrom(ranked.as("ranked")).select(COLUMNS).where("place", "<=", limit);
  const found = await newest.orderBy("id", "desc").execute();
  return found.map(alertOf);
}

export async function alertBy(own: Kysely<Tables>, id: number): Promise<Alert | null> {
  const row = await own.selectFrom("alerts").selectAll().where("id", "=", id).executeTakeFirst();
  return row ? alertOf(row) : null;
}

export function alertOf(row: Selectable<AlertsTable>): Alert {
  const { task_id, assistant_id, raised_at, resolved_at, acknowledged_at, acknowledged_by, ...same } = row;
  return {
    ...same,
    taskId: task_id,
    assistantId: assistant_id,
    raisedAt: raised_at,
    resolvedAt: resolved_at,
    acknowledgedAt: acknowledged_at,
    acknowledgedBy: acknowledged_by,
  };
}

/** The cursor of it is the last place of a raise that is no longer kept. */
const PURGED = "alerts purged";
const DIGITS = 15;

export async function purgedThrough(db: Kysely<Tables>): Promise<number> {
  const row = await db.selectFrom("readers").select("cursor").where("name", "=", PURGED).executeTakeFirst();
  return Number(row?.cursor ?? 0);
}

/** Deletes at most `limit` alerts that were over before that instant, with what was told of them. Returns their number. */
export async function purgeAlerts(trx: Transaction<Tables>, before: string, limit: number): Promise<number> {
  const old = await trx.selectFrom("alerts").select("id").where("resolved_at", "<", before).limit(limit).execute();
  if (old.length === 0) return 0;
  const ids = old.map(({ id }) => id);
  const raised = trx.selectFrom("alert_notices").select("id").where("alert_id", "in", ids).where("kind", "=", "RAISED");
  const last = await raised.orderBy("id", "desc").limit(1).executeTakeFirst();
  await trx.deleteFrom("alerts").where("id", "in", ids).execute();
  if (!last) return ids.length;
  const cursor = String(last.id).padStart(DIGITS, "0");
  const noted = trx.insertInto("readers").values({ name: PURGED, cursor });
  const isLater = sql<boolean>`readers.cursor < excluded.cursor`;
  await noted.onConflict((conflict) => conflict.column("name").doUpdateSet({ cursor }).where(isLater)).execute();
  return ids.length;
}
