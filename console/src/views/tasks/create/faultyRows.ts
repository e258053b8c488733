// Saves the rows that are left out as a table of their own, with the row of each and why, so that somebody can mend and upload them.
import type { TableShape } from "../../../../../src/format/tables/tableShape.ts";
import { BYTE_ORDER_MARK, csvCell } from "../../../data/csvCell.ts";
import { openExportFile } from "../../../data/exportFile.ts";
import type { RowProblem } from "./checkTable.ts";

export interface FaultyRowWords {
  row: string;
  why: string;
  column: (n: string) => string;
  whyOf: (problem: RowProblem) => string;
}

/** The text of the file. */
export function faultyRowsText(shape: TableShape, problems: readonly RowProblem[], words: FaultyRowWords): string {
  const width = Math.max(shape.width, ...problems.map(({ cells }) => cells.length));
  const names = Array.from({ length: width }, (_, at) => shape.head[at] || words.column(String(at + 1)));
  const rows = problems.map((problem) => [String(problem.row), words.whyOf(problem), ...problem.cells]);
  const lines = [[words.row, words.why, ...names], ...rows].map((cells) => `${cells.map(csvCell).join()}\r\n`);
  return BYTE_ORDER_MARK + lines.join("");
}

export async function saveFaultyRows(name: string, text: string): Promise<void> {
  const file = await openExportFile(name, "text/csv");
  await file?.write(text);
  await file?.save();
}
