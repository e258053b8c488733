// Checks a table in a thread of its own: the page stays fluent, and a check that is cancelled ends at once.
import { checkTable, type CheckDone, type TableChoice, type TableShape, type TaskNumber } from "./checkTable.ts";

export type CheckMessage =
  | { type: "shape"; shape: TableShape }
  | { type: "numbers"; numbers: readonly TaskNumber[]; rows: readonly number[]; share: number }
  | { type: "done"; done: CheckDone };

export interface CheckRequest {
  text: string;
  choice: TableChoice;
}

const post = (message: CheckMessage): void => postMessage(message);

addEventListener("message", ({ data }: MessageEvent<CheckRequest>) => {
  const done = checkTable(data.text, data.choice, {
    onShape: (shape) => post({ type: "shape", shape }),
    onNumbers: (numbers, rows, share) => post({ type: "numbers", numbers, rows, share }),
  });
  post({ type: "done", done });
});
