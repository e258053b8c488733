// Checks a table of people row by row: who can be phoned, and which rows are left out, with why.
import { readPhone, type NoPhoneReason, type PhoneReading } from "../../../../../src/format/readPhone.ts";
import { createPeople } from "../../../../../src/format/samePerson.ts";
import { columnNames, type Columns } from "../../../../../src/format/tables/tableColumns.ts";
import {
  isBlank,
  openTable,
  readRows,
  withoutCellMarks,
  type RowFault,
  type TableRow,
} from "../../../../../src/format/tables/tableRows.ts";
import {
  filledWidth,
  findShape,
  type TableChoice,
  type TableShape,
} from "../../../../../src/format/tables/tableShape.ts";
import { SERVICE_NAMES } from "./serviceColumns.ts";

/** TaskNumberInput of the graph. */
export interface TaskNumber {
  number: string;
  extra?: Record<string, string>;
}

export type Problem = RowFault | NoPhoneReason | "label" | "cells" | "lines" | "duplicate";

export interface RowProblem {
  /** As a spreadsheet counts: 1 is the first row. */
  row: number;
  /** The lines of the text. More than one where a quote takes in the rows after it. */
  lines: number;
  /** What stands in the column of numbers. */
  text: string;
  cells: readonly string[];
  problem: Problem;
  /** The row that is kept in place of a duplicate. */
  first: number | null;
}

export interface CheckDone {
  /** Rows that are left out; all lines of a faulty row count. */
  problemCount: number;
  problems: readonly RowProblem[];
  /** The length of the numbers as they are sent. */
  bytes: number;
}

export interface CheckListener {
  onShape(shape: TableShape): void;
  /** `share`: 0 to 1 of the rows. Numbers that can be called, each with its row. */
  onNumbers(numbers: readonly TaskNumber[], rows: readonly number[], share: number): void;
}

/** Rows that are told of at a time. */
const STEP = 2000;
const LEAST_DIGITS = 3;

const VARIABLES = columnNames.filter((name) => name !== "number");

/** Null: the shape has a question, and nothing was checked. `leastDigits`: of a number. Tasks also call short ones. */
export function checkTable(
  text: string,
  choice: TableChoice,
  { onShape, onNumbers }: CheckListener,
  leastDigits = LEAST_DIGITS,
): CheckDone | null {
  const table = openTable(text);
  const shape = findShape(table, choice);
  onShape(shape);
  if (shape.questions.length > 0) return null;

  const { columns, headRow, width } = shape;
  const findPerson = createPeople();
  const problems: RowProblem[] = [];
  const encoder = new TextEncoder();
  const done = { problemCount: 0, problems, bytes: 0 };
  const lineCount = table.text.split("\n").length;
  let numbers: TaskNumber[] = [];
  let rows: number[] = [];

  function leaveOut({ row, lines, cells, fault }: TableRow, problem: Problem, first: number | null = null): void {
    done.problemCount += fault === null ? 1 : lines;
    problems.push({ row, lines, text: cells[columns.number] ?? "", cells, problem, first });
  }
  function tell(share: number): void {
    onNumbers(numbers, rows, share);
    numbers = [];
    rows = [];
  }
  function check(row: TableRow): void {
    const written = row.cells[columns.number] ?? "";
    const reading = readPhone(written);
    const problem =
      row.fault ?? (filledWidth(row.cells) > width ? "cells" : problemOf(written, reading, row, columns, leastDigits));
    if (problem !== null || reading.kind !== "number") return leaveOut(row, problem ?? "noDigit");
    const first = findPerson(reading, row.row);
    if (first !== null) return leaveOut(row, "duplicate", first);
    const number = { number: reading.sent, ...variablesOf(row.cells, columns) };
    numbers.push(number);
    rows.push(row.row);
    done.bytes += encoder.encode(JSON.stringify(number)).length + 1;
  }
  readRows(table, shape.separator, (row) => {
    if (row.row > headRow && !isBlank(row)) check(row);
    if (row.row % STEP === 0) tell(row.line / lineCount);
    return true;
  });
  tell(1);
  return done;
}

/** Null: the number can be called. */
function problemOf(
  written: string,
  reading: PhoneReading,
  { cells }: TableRow,
  columns: Columns,
  leastDigits: number,
): Problem | null {
  if (reading.kind === "none") return reading.reason;
  if (reading.kind === "label") return "label";
  // A word beside a number is no separator of the table: 李雷;13800010001. Digits behind such a mark are no part of it: 13800010001、2.
  if (reading.label !== null && /[,;|\t，；｜、]/.test(written)) return "unclear";
  if (/\d\s*[，；｜、]\s*\d/.test(written)) return "unclear";
  if (reading.dialled.replace(/\D/g, "").length < leastDigits) return "digits";
  const isBroken = columnNames.some((name) => (cells[columns[name]] ?? "").includes("\n"));
  return isBroken ? "lines" : null;
}

function variablesOf(cells: readonly string[], columns: Columns): Pick<TaskNumber, "extra"> {
  const entries = VARIABLES.map((name) => [SERVICE_NAMES[name], withoutCellMarks(cells[columns[name]] ?? "")] as const);
  const filled = entries.filter(([, value]) => value !== "");
  return filled.length === 0 ? {} : { extra: Object.fromEntries(filled) };
}
