// Finds out how a table is built: what separates its cells, which row names the columns, and what each column holds. Somebody may have
// chosen some of it. What stays unsure is a question, because a wrong guess phones somebody.
import { isWholeNumber, readPhone } from "../readPhone.ts";
import { guessColumns, knownHeads, type ColumnName, type Columns } from "./tableColumns.ts";
import {
  firstRows,
  isPhoneCell,
  typedSeparators,
  usualSeparators,
  type Separator,
  type TableRow,
  type TableText,
} from "./tableRows.ts";

export interface TableChoice {
  /** Null: as it looks. */
  separator: Separator | null;
  /** The row that names the columns, from 1; 0: none does. Null: as it looks. */
  headRow: number | null;
  /** Those that were chosen; -1: the table has no such column. */
  columns: Partial<Columns>;
}

export const NO_CHOICE: TableChoice = { separator: null, headRow: null, columns: {} };

export type TableQuestion = "separator" | "headRow" | ColumnName;

export interface TableShape {
  separator: Separator;
  headRow: number;
  columns: Columns;
  /** The cells of the head, or empty. */
  head: readonly string[];
  /** How many cells a row has at most. A row with more is faulty. */
  width: number;
  /** The first rows that are not blank, also the head and what stands above it. */
  sample: readonly TableRow[];
  /** What has to be chosen before the table can be read. What the shape says about it is a guess. */
  questions: readonly TableQuestion[];
}

interface Found<Value> {
  value: Value;
  isSure: boolean;
}
const sure = <Value>(value: Value): Found<Value> => ({ value, isSure: true });
const unsure = <Value>(value: Value): Found<Value> => ({ value, isSure: false });

const SAMPLE_ROWS = 60;
/** Shares of the rows: below the first a sign is chance, from the second on it is meant, and all but a few have it. */
const [SOME, MOST, NEARLY_ALL] = [0.3, 0.6, 0.8];
/** How much likelier the best guess is than the next one. */
const MARGIN = 1.6;

export function findShape(table: TableText, choice: TableChoice): TableShape {
  const stated = choice.separator ?? table.stated;
  const separator = stated === null ? guessSeparator(table) : sure(stated);
  const sample = firstRows(table, separator.value, SAMPLE_ROWS);
  const headRow = choice.headRow === null ? guessHead(sample) : sure(choice.headRow);
  const head = sample.find(({ row }) => row === headRow.value)?.cells ?? [];
  const body = sample.filter(({ row, fault }) => row > headRow.value && fault === null).map(({ cells }) => cells);
  const { columns, unsure: open } = guessColumns(head, body, choice.columns);
  // With another separator the table has other columns, so that it is asked first.
  const questions: TableQuestion[] = separator.isSure
    ? [...(headRow.isSure ? [] : ["headRow" as const]), ...open]
    : ["separator"];
  const shape = { separator: separator.value, headRow: headRow.value, columns, head, sample, questions };
  return { ...shape, width: widthOf(head, body) };
}

function guessSeparator(table: TableText): Found<Separator> {
  const looks = usualSeparators.map((separator) => lookOf(table, separator));
  const [best, second] = looks
    .filter(({ splits, numbers }) => splits >= SOME && numbers >= SOME)
    .sort((one, other) => other.score - one.score);
  if (best) return { value: best.separator, isSure: best.score >= MARGIN * (second?.score ?? 0) };
  const typed = typedSeparators
    .map((separator) => lookOf(table, separator))
    // Several columns of numbers are rather several numbers in one cell.
    .filter(({ splits, numbers, numberColumns }) => splits >= MOST && numbers >= SOME && numberColumns === 1);
  if (typed[0]) return { value: typed[0].separator, isSure: typed.length === 1 };
  // No cell is a phone number, so that nobody is phoned; and the columns may show why.
  if (lookOf(table, "").numbers >= SOME) return sure("");
  const dividing = looks.filter(({ splits }) => splits >= MOST);
  const value = dividing[0]?.separator ?? "";
  return dividing.length === 1 || looks.every(({ splits }) => splits === 0) ? sure(value) : unsure(value);
}

/** Which shares of the first rows a separator divides, and has phone numbers in one column. */
function lookOf(table: TableText, separator: Separator) {
  const rows = firstRows(table, separator, SAMPLE_ROWS);
  const all = Math.max(1, rows.length);
  const splits = rows.filter(({ cells }) => filledWidth(cells) > 1).length / all;
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const counts = Array.from(
    { length: width },
    (_, at) => rows.filter(({ cells }) => hasNumbers(cells[at] ?? "")).length,
  );
  const numbers = Math.max(0, ...counts) / all;
  const numberColumns = counts.filter((count) => count > 0).length;
  return { separator, splits, numbers, numberColumns, score: splits * numbers };
}

/** Two numbers in one cell may be divided by what divides the cells of other tables. */
function hasNumbers(cell: string): boolean {
  if (isPhoneCell(cell)) return true;
  const reading = readPhone(cell);
  return reading.kind === "none" && reading.reason === "several";
}

/** A row with words for columns, above the first phone number. Title rows may stand above it. */
function guessHead(sample: readonly TableRow[]): Found<number> {
  const first = sample.findIndex(({ cells }) => cells.some(isPhoneCell));
  const width = widthOf(
    [],
    sample.slice(Math.max(0, first)).map(({ cells }) => cells),
  );
  const above = sample.slice(0, first === -1 ? 5 : first).filter(({ fault }) => fault === null);
  const heads = above
    .filter(({ cells }) => cells.filter((cell) => cell !== "").length >= Math.min(2, width))
    .filter(({ cells }) => !cells.some((cell) => isWholeNumber(readPhone(cell))))
    .map(({ row, cells }) => ({ row, cells, known: knownHeads(cells) }));
  const most = Math.max(0, ...heads.map(({ known }) => known));
  const best = heads.findLast(({ known }) => known === most);
  if (!best || (most === 0 && (first === -1 || best.cells.some(isData)))) return sure(0);
  return most > 0 ? sure(best.row) : unsure(best.row);
}

/** A cell of a row of data: a date, an amount, a number that was rounded. */
const isData = (cell: string): boolean => {
  const reading = readPhone(cell);
  return /\d{3}/.test(cell) || (reading.kind === "none" && reading.reason === "rounded");
};

/** The head says it, unless nearly all rows have more cells. */
function widthOf(head: readonly string[], body: readonly (readonly string[])[]): number {
  const widths = body.map(filledWidth).sort((one, other) => one - other);
  const least = filledWidth(head);
  const usual = widths.at(Math.floor(widths.length * (least > 0 ? 1 - NEARLY_ALL : NEARLY_ALL))) ?? 0;
  return Math.max(least, usual);
}

/** Without empty cells at the end, which some exports write and others leave out. */
export const filledWidth = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell !== "") + 1;
