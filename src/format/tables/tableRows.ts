// Splits a table into rows and cells: CSV, TSV and their kin, as files or copied from a spreadsheet. The only place that parses them.
import Papa from "papaparse";
import { isWholeNumber, readPhone } from "../readPhone.ts";

/** What programs write between cells. */
export const usualSeparators = [",", ";", "\t", "|"] as const;
/** What people type between cells with a Chinese or Japanese keyboard. They type it within cells, too. */
export const typedSeparators = ["，", "；", "｜", "、"] as const;
export const separators = [...usualSeparators, ...typedSeparators] as const;
/** Empty: the table has one column. */
export type Separator = (typeof separators)[number] | "";

/**
 * Why a row is not read. `openQuote`: a quote has no end, and the rest of the table is one cell. `quotes`: other characters follow a
 * closing quote, so that it is not known where the cell ends. `swallowed`: a cell in quotes holds lines with phone numbers, which
 * seem to be rows.
 */
export type RowFault = "openQuote" | "quotes" | "swallowed";

export interface TableRow {
  /** As a spreadsheet counts: 1 is the first row, and a cell may have several lines. */
  row: number;
  /** Its first line in the text, from 1, and how many lines it has. */
  line: number;
  lines: number;
  /** Without white space around them. */
  cells: readonly string[];
  fault: RowFault | null;
}

/** No character, so that no table has it, and a row is one cell. */
const NO_SEPARATOR = "\uffff";
/** What ends lines on some systems. People's programs also put them into cells, so they count only where no other line end is. */
const RARE_LINE_ENDS = ["\u0085", "\u2028", "\u2029", "\u001e"];

export interface TableText {
  /** With `\n` between its lines. */
  text: string;
  /** As its first line says: `sep=;`. Null: it says nothing. */
  stated: Separator | null;
  /** Lines that the statement takes. A spreadsheet does not count them. */
  skipped: number;
}

/** Call it once for a table. */
export function openTable(raw: string): TableText {
  const usual = raw.replace(/^\uFEFF+/, "").replaceAll(/\r\n?/g, "\n");
  const text = usual.includes("\n") ? usual : RARE_LINE_ENDS.reduce((lines, end) => lines.replaceAll(end, "\n"), usual);
  const [line, separator] = /^"?sep=([,;|\t])"?[,;|\t]*(?:\n|$)/i.exec(text) ?? [];
  if (line === undefined) return { text, stated: null, skipped: 0 };
  return { text: text.slice(line.length).replace(/^\uFEFF+/, ""), stated: separator as Separator, skipped: 1 };
}

/** Gives each row, also blank ones but for the end. It ends early where `onRow` returns false. Never throws. */
export function readRows({ text, skipped }: TableText, separator: Separator, onRow: (row: TableRow) => boolean): void {
  let row = 0;
  let line = 1 + skipped;
  let before = 0;
  Papa.parse<string[]>(text, {
    delimiter: separator || NO_SEPARATOR,
    newline: "\n",
    step({ data, errors, meta }, parser) {
      const end = meta.cursor;
      const lines = linesIn(text, before, end);
      const isEnd = before >= text.length && data.every((cell) => cell === "");
      row += 1;
      const fault = errors.length > 0 ? faultOf(errors) : data.some(holdsRows) ? "swallowed" : null;
      const goesOn = isEnd || onRow({ row, line, lines, cells: data.map(bareCell), fault });
      line += lines;
      before = end;
      if (!goesOn) parser.abort();
    },
  });
}

/** The first rows that are not blank. */
export function firstRows(table: TableText, separator: Separator, count: number): TableRow[] {
  const rows: TableRow[] = [];
  readRows(table, separator, (row) => {
    if (!isBlank(row)) rows.push(row);
    return rows.length < count;
  });
  return rows;
}

export const isBlank = ({ cells, fault }: TableRow): boolean => fault === null && cells.every((cell) => cell === "");

const faultOf = (errors: readonly Papa.ParseError[]): RowFault =>
  errors.some(({ code }) => code === "MissingQuotes") ? "openQuote" : "quotes";

/** The last one may have no end. */
function linesIn(text: string, from: number, to: number): number {
  let lines = text.charAt(to - 1) === "\n" && to > from ? 0 : 1;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** A cell with several lines, such as an address, of which a later one has a phone number. */
function holdsRows(cell: string): boolean {
  if (!cell.includes("\n")) return false;
  const pieces = cell
    .split("\n")
    .slice(1)
    .flatMap((line) => line.split(/[,;\t|"]/));
  return pieces.some((piece) => isWholeNumber(readPhone(piece)));
}

/** A cell that holds a phone number and nothing else. */
export function isPhoneCell(cell: string): boolean {
  if (!/\d/.test(cell) || /[,;|\t\n]/.test(cell)) return false;
  const reading = readPhone(cell);
  return isWholeNumber(reading) && reading.label === null;
}

const bareCell = (cell: string): string => cell.replace(/^\uFEFF/, "").trim();

/** Without the marks by which exports keep spreadsheets from reading a cell: `="Li"`, and `'=Li`. Phone numbers have their own reader. */
export function withoutCellMarks(cell: string): string {
  if (!/^['=]/.test(cell)) return cell;
  const [, inner] = /^="((?:[^"]|"")*)"$/.exec(cell) ?? [];
  return inner === undefined ? cell.replace(/^'(?=[=+\-@])/, "") : inner.replaceAll('""', '"').trim();
}
