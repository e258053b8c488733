// Checks a table of people as the console's form does, and gives all that it tells.
import { checkTable, type RowProblem, type TaskNumber } from "../../console/src/views/tasks/create/checkTable.ts";
import { NO_CHOICE, type TableChoice, type TableShape } from "../../src/format/tables/tableShape.ts";

export interface CheckedPeople {
  shape: TableShape;
  numbers: TaskNumber[];
  /** The row of each number. */
  rows: number[];
  problems: readonly RowProblem[];
  problemCount: number;
  bytes: number;
}

export function checkPeople(text: string, choice: TableChoice = NO_CHOICE): CheckedPeople {
  const numbers: TaskNumber[] = [];
  const rows: number[] = [];
  let shape: TableShape | null = null;
  const done = checkTable(text, choice, {
    onShape: (found) => void (shape = found),
    onNumbers(some, at) {
      numbers.push(...some);
      rows.push(...at);
    },
  });
  if (shape === null) throw new Error("The check told no shape.");
  return { shape, numbers, rows, ...(done ?? { problems: [], problemCount: 0, bytes: 0 }) };
}
