// Reads the phone numbers of a file for the never-call list: one in each line, or one column of a table. A line of heads is recognised.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { readPhone } from "../format/readPhone.ts";
import { UsageError } from "./options.ts";

export interface NumberInLine {
  number: string;
  /** From 1. */
  line: number;
  /** Whether another cell of the line holds a phone number, too. */
  hasOthers: boolean;
}

/** A head has a word and no phone number. */
const WORD = /\p{L}/u;

/**
 * `column`: a head, or the place of a column from 1; null: the first column. Empty lines and a line of heads are left out. Throws
 * an Error of one line if the file cannot be read, and UsageError if it has no such column.
 */
export async function* numbersIn(file: string, column: string | null): AsyncGenerator<NumberInLine, void, undefined> {
  const stream = createReadStream(file, "utf8");
  let line = 0;
  let at: number | null = null;
  try {
    for await (const text of createInterface({ input: stream, crlfDelay: Infinity })) {
      line += 1;
      const cells = cellsOf(text.replace(/^\uFEFF/, ""));
      if (cells.every((cell) => cell === "")) continue;
      const isFirst = at === null;
      at ??= placeOf(column, cells);
      if (isFirst && isHead(cells)) continue;
      const number = cells[at] ?? "";
      const hasOthers = cells.some((cell, place) => place !== at && isWholeNumber(cell));
      yield { number, line, hasOthers };
    }
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new Error(`${file} cannot be read: ${(cause as NodeJS.ErrnoException).code ?? "unknown cause"}.`, { cause });
  }
}

/** Separated by commas, semicolons or tabs; a cell in quotes may hold them. */
function cellsOf(text: string): string[] {
  return Array.from(
    text.matchAll(/(?:^|[,;\t])(?:\s*"((?:[^"]|"")*)"\s*(?=[,;\t]|$)|([^,;\t]*))/g),
    ([, quoted, plain = ""]) => (quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim(),
  );
}

function isHead(cells: readonly string[]): boolean {
  return cells.some((cell) => WORD.test(cell)) && cells.every((cell) => !/\d{3}/.test(cell));
}

function placeOf(column: string | null, first: readonly string[]): number {
  if (column === null) return 0;
  const named = first.findIndex((cell) => cell.toLowerCase() === column.trim().toLowerCase());
  if (named !== -1 && isHead(first)) return named;
  const place = /^[1-9]\d{0,3}$/.test(column) ? Number(column) - 1 : -1;
  if (place === -1 || place >= first.length) throw new UsageError("--column names no column of the first line.");
  return place;
}

/** Not every number of an id's length. */
function isWholeNumber(cell: string): boolean {
  const reading = readPhone(cell);
  return reading.kind === "number" && reading.number.replace(/\D/g, "").length >= 10;
}
