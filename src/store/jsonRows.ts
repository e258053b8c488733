// Rows as one parameter: a statement of any number of them has the same text, which is made and read once, and no limit of
// values.
import { sql, type RawBuilder } from "kysely";
import type { DatabaseKind } from "./database.ts";

export type ColumnType = "text" | "bigint";

/**
 * The rows as a table of these columns in SQL, called `name`; what a row does not have is null. No text may hold a NUL or
 * half a character.
 */
export function jsonRows<Column extends string>(
  kind: DatabaseKind,
  name: string,
  columns: Readonly<Record<Column, ColumnType>>,
  rows: readonly Partial<Record<Column, string | number | null>>[],
): RawBuilder<unknown> {
  if (kind === "postgres") {
    const types = Object.entries(columns).map(([column, type]) => `${column} ${type as ColumnType}`);
    return sql`json_to_recordset(${JSON.stringify(rows)}::json) as ${sql.raw(`${name}(${types.join()})`)}`;
  }
  const names = Object.keys(columns) as Column[];
  // By their places: by their names each row is a third more work.
  const json = JSON.stringify(rows.map((row) => names.map((column) => row[column] ?? null)));
  const values = names.map((column, at) => `value ->> ${at} as ${column}`);
  return sql`(select ${sql.raw(values.join())} from json_each(${json})) as ${sql.raw(name)}`;
}
