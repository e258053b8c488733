// Which column of a table holds what: as its head says, or else as its cells look.
import { normalizeNumber, problemOf } from "./numberRules.ts";

export const columnNames = ["number", "name", "gender", "salesPersonName"] as const;
export type ColumnName = (typeof columnNames)[number];

/** The index of each column, from 0 on; -1: the table has none. */
export type Columns = Record<ColumnName, number>;

const HEADS: Record<ColumnName, RegExp> = {
  number: /号码|电话|手机|phone|number|mobile|^tel/i,
  salesPersonName: /销售|sales/i,
  name: /姓名|名字|name/i,
  gender: /性别|gender|sex/i,
};

const isNumber = (cell: string): boolean => problemOf(cell.trim()) === null && normalizeNumber(cell.trim()).length > 4;

/** A first row without a phone number, over rows that have some. */
export function hasHeadRow(rows: readonly (readonly string[])[]): boolean {
  const [first = [], ...others] = rows;
  return !first.some(isNumber) && others.some((row) => row.some(isNumber));
}

export function guessColumns(rows: readonly (readonly string[])[], hasHead: boolean): Columns {
  const columns: Columns = { number: -1, name: -1, gender: -1, salesPersonName: -1 };
  const taken = new Set<number>();
  const take = (name: ColumnName, at: number): void => {
    if (at === -1) return;
    columns[name] = at;
    taken.add(at);
  };
  const head = hasHead ? (rows[0] ?? []) : [];
  // A column of sales people's names has the word for names, too.
  for (const name of ["salesPersonName", "number", "name", "gender"] as const)
    take(
      name,
      head.findIndex((cell, at) => !taken.has(at) && HEADS[name].test(cell)),
    );
  if (columns.number !== -1) return columns;
  const cells = rows.slice(hasHead ? 1 : 0);
  const counts = (rows[0] ?? []).map((_, at) => cells.filter((row) => isNumber(row[at] ?? "")).length);
  const most = Math.max(0, ...counts);
  take("number", most === 0 ? 0 : counts.indexOf(most));
  return columns;
}
