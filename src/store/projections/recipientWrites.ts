// The statements that change the rows of recipients.
import { sql } from "kysely";
import { chunksOf, jsonRows, type ColumnType } from "../sqlHelpers.ts";
import type { ProjectionTrx } from "./projectionTables.ts";
import { KEY_COLUMNS, PLACE, type keyRows } from "./recipientRows.ts";

/** Where an entry of the log says nothing new of a call. */
export async function movePositions(
  { trx, kind }: ProjectionTrx,
  build: number,
  all: readonly { old: number; seq: number }[],
): Promise<void> {
  const moved = all.filter(({ old, seq }) => old !== seq);
  if (moved.length === 0) return;
  await sql`update recipient_calls set seq = moved.seq
    from ${jsonRows(kind, "moved", { old: "bigint", seq: "bigint" }, moved)}
    where recipient_calls.build = ${build} and recipient_calls.seq = moved.old`.execute(trx);
}

export async function deleteCalls(
  { trx }: ProjectionTrx,
  build: number,
  calls: readonly { seq: number }[],
): Promise<void> {
  for (const some of chunksOf(calls.map(({ seq }) => seq)))
    await trx.deleteFrom("recipient_calls").where("build", "=", build).where("seq", "in", some).execute();
}

export async function deleteKeys(
  { trx, kind }: ProjectionTrx,
  build: number,
  keys: ReturnType<typeof keyRows>,
): Promise<void> {
  for (const some of chunksOf(keys))
    await sql`delete from recipient_keys where build = ${build} and (task_id, key, code, recipient) in (
      select task_id, key, code, recipient from ${jsonRows(kind, "gone", KEY_COLUMNS, some)})`.execute(trx);
}

/** Their calls stay. */
export async function deletePeople(
  { trx, kind }: ProjectionTrx,
  build: number,
  people: readonly { task_id: string; recipient: number }[],
): Promise<void> {
  for (const some of chunksOf(people))
    await sql`delete from recipients where build = ${build} and (task_id, recipient) in (
      select task_id, recipient from ${jsonRows(kind, "gone", PLACE, some)})`.execute(trx);
}

/** Some calls of a recipient, those with these keys, or all of them, which are of another one now. */
export interface Renamed {
  old: number;
  /** Null: whatever their keys are. */
  keys: string | null;
  recipient: number;
}

/** Those with certain keys first: a recipient that is divided may take up another one. */
export async function nameCalls({ trx, kind }: ProjectionTrx, build: number, all: readonly Renamed[]): Promise<void> {
  if (all.length === 0) return;
  const columns = { old: "bigint", keys: "text", recipient: "bigint" } as const;
  for (const some of [all.filter(({ keys }) => keys !== null), all.filter(({ keys }) => keys === null)])
    await sql`update recipient_calls set recipient = renamed.recipient from ${jsonRows(kind, "renamed", columns, some)}
      where recipient_calls.build = ${build} and recipient_calls.recipient = renamed.old
        and (renamed.keys is null or recipient_calls.keys = renamed.keys)`.execute(trx);
}

interface Target<Column extends string> {
  table: "recipient_calls" | "recipient_keys" | "recipients";
  columns: Readonly<Record<Column, ColumnType>>;
  /** The columns by which a row is known within its build. */
  key: string;
}

/** Adds rows, or replaces those with the same key. */
export async function addRows<Column extends string>(
  { trx, kind }: ProjectionTrx,
  build: number,
  { table, columns, key }: Target<Column>,
  rows: readonly Partial<Record<Column, string | number | null>>[],
): Promise<void> {
  const names = Object.keys(columns);
  const all = sql.raw(names.join());
  const others = names.filter((name) => !key.split(", ").includes(name));
  const set = others.map((name) => `${name} = excluded.${name}`).join();
  const otherwise = sql.raw(set === "" ? "do nothing" : `do update set ${set}`);
  for (const some of chunksOf(rows))
    await sql`insert into ${sql.table(table)} (build, ${all})
      select ${sql.lit(build)}, ${all} from ${jsonRows(kind, "added", columns, some)} where true
      on conflict (build, ${sql.raw(key)}) ${otherwise}`.execute(trx);
}
