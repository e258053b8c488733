// Small pieces of SQL that hide the differences between SQLite and PostgreSQL from the stores.
import { sql, type RawBuilder } from "kysely";
import type { DatabaseKind } from "./database.ts";

/** The database's clock, in seconds with fractions. All gateways share it, so leases do not depend on a gateway's clock. */
const clocks = {
  sqlite: sql`unixepoch('subsec')`,
  postgres: sql`extract(epoch from clock_timestamp())`,
} as const;

/** The current time of the database's clock in epoch milliseconds, as an SQL expression. */
export const databaseNow = (kind: DatabaseKind): RawBuilder<number> =>
  sql<number>`cast(${clocks[kind]} * 1000 as bigint)`;

/** The epoch seconds of an instant in a column, as an SQL expression. */
export const epochSeconds = (kind: DatabaseKind, column: string): RawBuilder<number> =>
  kind === "sqlite"
    ? sql<number>`unixepoch(${sql.ref(column)}, 'subsec')`
    : sql<number>`cast(extract(epoch from cast(${sql.ref(column)} as timestamptz)) as double precision)`;

/** One statement takes at most 32,766 values, and parsing a long statement costs more than it saves. */
const MAX_VALUES = 1000;

/** Splits a list of values into parts that fit into one statement each. */
export function chunksOf<T>(values: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(values.length / MAX_VALUES) }, (_, at) =>
    values.slice(at * MAX_VALUES, (at + 1) * MAX_VALUES),
  );
}

export type ColumnType = "text" | "bigint" | "double precision";

/**
 * Makes rows a table of SQL called `name`. A column that a row does not have is null. All rows are one JSON parameter, so
 * the statement's text is the same for any number of rows. No text may hold a NUL or a lone surrogate.
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
  // SQLite reads arrays by index in two thirds of the time that it needs for objects by name.
  const json = JSON.stringify(rows.map((row) => names.map((column) => row[column] ?? null)));
  const values = names.map((column, at) => `value ->> ${at} as ${column}`);
  return sql`(select ${sql.raw(values.join())} from json_each(${json})) as ${sql.raw(name)}`;
}
