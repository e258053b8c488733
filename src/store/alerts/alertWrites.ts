// Writes what rules make of the log: states, alerts and notices. Call it inside a transaction that has the lock of alerts.
import type { Selectable, Transaction } from "kysely";
import type { Tables } from "../tables.ts";

export interface StateKey {
  rule: string;
  subject: string;
}

export interface StoredState extends StateKey {
  counting: string;
  /** The reader that made it: where that begins again, its states are made anew. */
  reader: string;
  isOpen: boolean;
  /** RFC 3339. */
  at: string;
  state: string;
}

export interface NewAlert extends StateKey {
  kind: string;
  taskId: string | null;
  assistantId: string | null;
  /** RFC 3339. */
  raisedAt: string;
  value: number;
  threshold: number;
  calls: number;
  detail: string;
}

export interface AlertKey extends StateKey {
  raisedAt: string;
}

/** `told`: subscribers and destinations are told of it, once. They are told of the end where `isTold`. */
export type AlertChange =
  | { kind: "raised"; alert: NewAlert }
  | ({ kind: "told" } & AlertKey)
  | ({ kind: "resolved"; resolvedAt: string; ending: string; isTold: boolean } & AlertKey);

/** An alert that is not over. `isTold`: people were told of it. */
export interface OpenAlert extends AlertKey {
  isTold: boolean;
}

export interface Judgement {
  states: readonly StoredState[];
  changes: readonly AlertChange[];
}

/** The name of the cursor up to which states were made. It is ahead of the reader's where that begins again. */
export const statesOfReader = (reader: string) => `${reader} states`;

export async function cursorsOf(trx: Transaction<Tables>, names: readonly string[]): Promise<(string | undefined)[]> {
  const rows = await trx.selectFrom("readers").selectAll().where("name", "in", names).execute();
  return names.map((name) => rows.find((row) => row.name === name)?.cursor);
}

export async function statesOf(trx: Transaction<Tables>, keys: readonly StateKey[]): Promise<StoredState[]> {
  const subjects = Map.groupBy(keys, ({ rule }) => rule);
  const found: StoredState[] = [];
  for (const [rule, own] of subjects) {
    const names = [...new Set(own.map(({ subject }) => subject))];
    const rows = trx.selectFrom("alert_states").selectAll().where("rule", "=", rule).where("subject", "in", names);
    found.push(...(await rows.execute()).map(stateOf));
  }
  return found;
}

export async function openAlerts(trx: Transaction<Tables>): Promise<OpenAlert[]> {
  const open = trx
    .selectFrom("alerts")
    .leftJoin("alert_notices as notice", (join) =>
      join.onRef("notice.alert_id", "=", "alerts.id").on("notice.kind", "=", "RAISED"),
    )
    .select(["rule", "subject", "raised_at", "notice.id as notice"]);
  const rows = await open.where("resolved_at", "is", null).execute();
  return rows.map(({ rule, subject, raised_at, notice }) => ({
    rule,
    subject,
    raisedAt: raised_at,
    isTold: notice !== null,
  }));
}

/** Returns the number of notices. What is raised again by a repeat of the log is known. */
export async function writeJudgement(trx: Transaction<Tables>, { states, changes }: Judgement): Promise<number> {
  for (const { isOpen, ...state } of states) {
    const row = { ...state, open: Number(isOpen) };
    const { rule: _, subject: __, ...set } = row;
    const added = trx.insertInto("alert_states").values(row);
    await added.onConflict((conflict) => conflict.columns(["rule", "subject"]).doUpdateSet(set)).execute();
  }
  let told = 0;
  for (const change of changes) {
    if (change.kind === "raised") await raise(trx, change.alert);
    else if (change.kind === "told") told += await tell(trx, await alertAt(trx, change), "RAISED");
    else {
      const id = await resolve(trx, change);
      if (change.isTold) told += await tell(trx, id, "RESOLVED");
    }
  }
  return told;
}

/** Once. Returns the number of notices. */
async function tell(trx: Transaction<Tables>, alert_id: number | null, kind: "RAISED" | "RESOLVED"): Promise<number> {
  if (alert_id === null) return 0;
  const added = trx.insertInto("alert_notices").values({ alert_id, kind });
  const row = await added
    .onConflict((conflict) => conflict.columns(["alert_id", "kind"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return row ? 1 : 0;
}

async function alertAt(trx: Transaction<Tables>, { rule, subject, raisedAt }: AlertKey): Promise<number | null> {
  const own = trx.selectFrom("alerts").select("id").where("rule", "=", rule).where("subject", "=", subject);
  return (await own.where("raised_at", "=", raisedAt).executeTakeFirst())?.id ?? null;
}

async function raise(trx: Transaction<Tables>, alert: NewAlert): Promise<void> {
  const { taskId: task_id, assistantId: assistant_id, raisedAt: raised_at, ...same } = alert;
  const added = trx.insertInto("alerts").values({ ...same, task_id, assistant_id, raised_at });
  await added.onConflict((conflict) => conflict.columns(["rule", "subject", "raised_at"]).doNothing()).execute();
}

async function resolve(
  trx: Transaction<Tables>,
  { rule, subject, raisedAt, resolvedAt, ending }: Extract<AlertChange, { kind: "resolved" }>,
): Promise<number | null> {
  const own = trx.updateTable("alerts").where("rule", "=", rule).where("subject", "=", subject);
  const row = await own
    .where("raised_at", "=", raisedAt)
    .where("resolved_at", "is", null)
    .set({ resolved_at: resolvedAt, ending })
    .returning("id")
    .executeTakeFirst();
  return row?.id ?? null;
}

export const stateOf = ({ open, ...row }: Selectable<Tables["alert_states"]>): StoredState => ({
  ...row,
  isOpen: open === 1,
});
