// Checks a table in a thread of its own: the page stays fluent, and a check that is cancelled ends at once.
import type { TableChoice, TableShape } from "../../../../../src/format/tables/tableShape.ts";
import { checkTable, type CheckDone, type TaskNumber } from "./checkTable.ts";

export type CheckMessage =
  | { type: "shape"; shape: TableShape }
  | { type: "numbers"; numbers: readonly TaskNumber[]; rows: readonly number[]; share: number }
  /** Null: the shape has a question. */
  | { type: "done"; done: CheckDone | null };

export interface CheckRequest {
  text: string;
  choice: TableChoice;
  leastDigits?: number | undefined;
}

const post = (message: CheckMessage): void => postMessage(message);

addEventListener("message", ({ data }: MessageEvent<CheckRequest>) => {
  const done = checkTable(
    data.text,
    data.choice,
    {
      onShape: (shape) => post({ type: "shape", shape }),
      onNumbers: (numbers, rows, share) => post({ type: "numbers", numbers, rows, share }),
    },
    data.leastDigits,
  );
  post({ type: "done", done });
});
