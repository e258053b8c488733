// Reads a table of numbers as text (CSV, or cells copied from a spreadsheet) and checks it row by row.
import Papa from "papaparse";
import { guessColumns, hasHeadRow, type Columns } from "./columns.ts";
import { normalizeNumber, problemOf, type NumberProblem } from "./numberRules.ts";

/** TaskNumberInput of the graph. */
export interface TaskNumber {
  number: string;
  extra?: Record<string, string>;
}

export interface RowProblem {
  /** As a spreadsheet counts: 1 is the first row. */
  row: number;
  text: string;
  problem: NumberProblem;
  /** Of a duplicate: the row that is kept. */
  first?: number;
}

export interface TableChoice {
  /** Null: as it looks. */
  hasHead: boolean | null;
  columns: Columns | null;
}

export interface TableShape {
  hasHead: boolean;
  columns: Columns;
  /** The names of the head row, or the first row's cells. */
  names: readonly string[];
  /** The first rows, without the head. */
  sample: readonly (readonly string[])[];
}

export interface CheckDone {
  /** Rows with a problem are left out. */
  problemCount: number;
  /** The first ones. */
  problems: readonly RowProblem[];
  /** Of the numbers, as they are sent. */
  bytes: number;
}

export interface CheckListener {
  onShape(shape: TableShape): void;
  /** `share`: 0 to 1 of the rows. Numbers that can be called, each with its row. */
  onNumbers(numbers: readonly TaskNumber[], rows: readonly number[], share: number): void;
}

const SAMPLE_ROWS = 20;
const SHOWN_PROBLEMS = 1000;
/** Rows that are told of at a time. */
const STEP = 2000;

/** The names of the variables, as the service writes them. */
const VARIABLES = { name: "姓名", gender: "性别", salesPersonName: "销售姓名" } as const;

export function checkTable(text: string, choice: TableChoice, { onShape, onNumbers }: CheckListener): CheckDone {
  const preview = Papa.parse<string[]>(text, { preview: SAMPLE_ROWS + 1 });
  const hasHead = choice.hasHead ?? hasHeadRow(preview.data);
  const columns = choice.columns ?? guessColumns(preview.data, hasHead);
  const sample = preview.data.slice(hasHead ? 1 : 0).filter((cells) => !isBlank(cells));
  onShape({ hasHead, columns, names: preview.data[0] ?? [], sample: sample.slice(0, 5) });

  const firstRow = new Map<string, number>();
  const problems: RowProblem[] = [];
  const encoder = new TextEncoder();
  const done = { problemCount: 0, problems, bytes: 0 };
  let row = 0;

  /** Null for a row that is left out. */
  function numberOf(cells: readonly string[]): TaskNumber | null {
    if (isBlank(cells)) return null;
    const written = (cells[columns.number] ?? "").trim();
    const same = normalizeNumber(written);
    const first = firstRow.get(same);
    const problem = problemOf(written) ?? (first === undefined ? null : "duplicate");
    if (problem === null) {
      firstRow.set(same, row);
      return { number: sentText(written, same), ...variablesOf(cells, columns) };
    }
    done.problemCount += 1;
    if (problems.length < SHOWN_PROBLEMS)
      problems.push({ row, text: written, problem, ...(first !== undefined && { first }) });
    return null;
  }

  const { data } = Papa.parse<string[]>(text, { delimiter: preview.meta.delimiter });
  for (let start = 0; start < data.length; start += STEP) {
    const numbers: TaskNumber[] = [];
    const rows: number[] = [];
    for (const cells of data.slice(start, start + STEP)) {
      row += 1;
      const number = hasHead && row === 1 ? null : numberOf(cells);
      if (!number) continue;
      numbers.push(number);
      rows.push(row);
      done.bytes += encoder.encode(JSON.stringify(number)).length + 1;
    }
    onNumbers(numbers, rows, Math.min(1, (start + STEP) / data.length));
  }
  return done;
}

/** As it is written, if the gateway reads it so without marks. */
const sentText = (written: string, same: string): string => (/^[+\d ().-]+$/.test(written) ? written : same);

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === "");

function variablesOf(cells: readonly string[], columns: Columns): Pick<TaskNumber, "extra"> {
  const entries = Object.entries(VARIABLES).flatMap(([column, name]): [string, string][] => {
    const value = (cells[columns[column as keyof typeof VARIABLES]] ?? "").trim();
    return value === "" ? [] : [[name, value]];
  });
  return entries.length === 0 ? {} : { extra: Object.fromEntries(entries) };
}
