// Reads the phone numbers of a file for the never-call list: one in each line, or one column of a table. A line of heads is recognised.
import { readBytes } from "../../util/textFile.ts";
import { FinalError } from "../../util/start/finalError.ts";
import { decodeTable, type NoTable } from "../../format/tables/decodeTable.ts";
import { isWholeNumber, readPhone } from "../../format/readPhone.ts";
import {
  isBlank,
  openTable,
  readRows,
  typedSeparators,
  type RowFault,
  type Separator,
  type TableText,
} from "../../format/tables/tableRows.ts";
import { findShape, NO_CHOICE, type TableShape } from "../../format/tables/tableShape.ts";
import { UsageError } from "../options.ts";

export interface NumberInLine {
  number: string;
  /** Its first line, from 1, and how many it has. */
  line: number;
  lines: number;
  /** Why nothing of it was read. */
  fault: RowFault | null;
  /** Whether another cell of the line holds a phone number, too. */
  hasOthers: boolean;
}

export interface NumberPlace {
  /** A head, or the place of a column from 1; null: the first column. */
  column: string | null;
  /** Null: as the file looks. */
  separator: string | null;
}

/** As they are named on a command line. */
const SEPARATORS: ReadonlyMap<string, Separator> = new Map([
  [",", ","],
  [";", ";"],
  ["|", "|"],
  ...typedSeparators.map((each) => [each, each] as const),
  ["tab", "\t"],
  ["none", ""],
]);

const NO_TABLES: Record<NoTable, string> = {
  workbook: "is a workbook: save it as CSV",
  page: "is a web page: save it as CSV in a spreadsheet",
  binary: "holds no text",
};
/** Not every number of an id's length. */
const PERSON_DIGITS = 10;
const HEAD_ROWS = 8;
/** Some ten million numbers. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Empty lines, a line of heads and titles above it are left out. Rejects with an Error of one line if the file cannot be read, and with
 * UsageError if it has no such column, or if it is not clear what separates its cells.
 */
export async function readNumbers(file: string, { column, separator }: NumberPlace): Promise<NumberInLine[]> {
  const chosen = separator === null ? null : SEPARATORS.get(separator);
  if (chosen === undefined) throw new UsageError("--separator must be one of , ; | ， ； ｜ 、 tab none.");
  const table = openTable(await textOf(file));
  const shape = findShape(table, { ...NO_CHOICE, separator: chosen });
  if (shape.questions.includes("separator"))
    throw new UsageError("It is not clear what separates the cells of the file: name it with --separator.");
  return numbersOf(table, shape, placeOf(column, shape));
}

async function textOf(file: string): Promise<string> {
  const bytes = await readBytes(file, MAX_BYTES).catch((cause: NodeJS.ErrnoException) => {
    if (cause instanceof FinalError) throw new Error(`${file} ${cause.message}: split it.`, { cause });
    throw new Error(`${file} cannot be read: ${cause.code ?? "unknown cause"}.`, { cause });
  });
  const table = decodeTable(bytes);
  if (typeof table === "string") throw new Error(`${file} ${NO_TABLES[table]}.`);
  return table.text;
}

interface Place {
  headRow: number;
  at: number;
}

function numbersOf(table: TableText, shape: TableShape, { headRow, at }: Place): NumberInLine[] {
  const numbers: NumberInLine[] = [];
  readRows(table, shape.separator, (row) => {
    if (row.row <= headRow || isBlank(row)) return true;
    const { cells, line, lines, fault } = row;
    const hasOthers = fault === null && cells.some((cell, place) => place !== at && isPerson(cell));
    numbers.push({ number: cells[at] ?? "", line, lines, fault, hasOthers });
    return true;
  });
  return numbers;
}

function placeOf(column: string | null, { sample, headRow }: TableShape): Place {
  if (column === null) return { headRow, at: 0 };
  const name = column.trim().toLowerCase();
  const isNamed = (cell: string) => cell.toLowerCase() === name;
  const head = sample.slice(0, HEAD_ROWS).find(({ cells }) => cells.some(isNamed) && !cells.some(isPerson));
  if (head) return { headRow: head.row, at: head.cells.findIndex(isNamed) };
  const place = /^[1-9]\d{0,3}$/.test(column) ? Number(column) - 1 : -1;
  const width = Math.max(0, ...sample.slice(0, HEAD_ROWS).map(({ cells }) => cells.length));
  if (place === -1 || place >= width) throw new UsageError("--column names no column of the first lines.");
  return { headRow, at: place };
}

function isPerson(cell: string): boolean {
  const reading = readPhone(cell);
  return isWholeNumber(reading) && reading.number.replace(/\D/g, "").length >= PERSON_DIGITS;
}
