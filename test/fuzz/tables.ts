// The readers of tables: no line is lost unnamed, and nothing of one row stands in another.
import { tableCases } from "../corpus/tables.ts";
import { openTable, readRows, separators, type Separator, type TableRow } from "../../src/format/tables/tableRows.ts";
import { findShape, NO_CHOICE } from "../../src/format/tables/tableShape.ts";
import { mutationsOf } from "./mutations.ts";
import { digitsOf } from "../support/oneNumber.ts";
import type { Target } from "./target.ts";

const SEPARATORS: readonly Separator[] = ["", ...separators];

export const tableTarget: Target = {
  kind: "tables",
  texts: mutationsOf(
    tableCases.map(({ text }) => text),
    ["+12025550101", '"', '""', ";", "\t", "\r\n", "sep=;", "\n\n"],
  ),
  faultOf(text) {
    const table = openTable(text);
    const shape = findShape(table, NO_CHOICE);
    if (!SEPARATORS.includes(shape.separator)) return `finds the separator ${shape.separator}`;
    const lines = table.text.split("\n");
    for (const separator of SEPARATORS) {
      let next = 1 + table.skipped;
      let fault: string | null = null;
      readRows(table, separator, (row) => {
        const own = lines.slice(row.line - 1 - table.skipped, row.line - 1 - table.skipped + row.lines).join("\n");
        fault ??=
          row.line === next && row.lines > 0 ? faultOfRow(row, own) : `goes on at line ${row.line} after ${next}`;
        next = row.line + row.lines;
        return true;
      });
      const rest = lines.slice(next - 1 - table.skipped).join("");
      if (fault !== null || rest.trim() !== "")
        return `${fault ?? `loses line ${next}`} with the separator ${separator}`;
    }
    return null;
  },
};

function faultOfRow({ cells, line, fault }: TableRow, own: string): string | null {
  if (fault !== null) return null;
  const foreign = cells.find((cell) => !digitsOf(own).includes(digitsOf(cell)));
  if (foreign !== undefined) return `has ${foreign} in line ${line}`;
  return /\d/.test(own) && cells.every((cell) => cell === "") ? `takes line ${line} for a blank one` : null;
}
