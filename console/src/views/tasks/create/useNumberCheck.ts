import { useCallback, useEffect, useRef, useState } from "react";
import type { TableChoice, TableShape } from "../../../../../src/format/tables/tableShape.ts";
import type { CheckDone, TaskNumber } from "./checkTable.ts";
import type { CheckMessage, CheckRequest } from "./numberCheck.worker.ts";

export interface CheckState {
  /** `asked`: the shape has questions, and nothing was checked. */
  name: "empty" | "checking" | "cancelled" | "asked" | "done" | "failed";
  /** 0 to 1 of the rows. */
  share: number;
  shape: TableShape | null;
  /** Numbers that can be called, and the row of each. Complete when it is done. */
  numbers: readonly TaskNumber[];
  rows: readonly number[];
  done: CheckDone | null;
}

const EMPTY: CheckState = { name: "empty", share: 0, shape: null, numbers: [], rows: [], done: null };
/** While somebody types, only the last text is checked. */
const PAUSE_MS = 250;

/** Checks the text again when it or the choice changes. `leastDigits`: see checkTable. */
export function useNumberCheck(text: string, choice: TableChoice, leastDigits?: number) {
  const [state, setState] = useState<CheckState>(EMPTY);
  const [attempt, setAttempt] = useState(0);
  const worker = useRef<Worker | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const stop = useCallback(() => {
    clearTimeout(timer.current);
    worker.current?.terminate();
    worker.current = null;
  }, []);

  useEffect(() => {
    if (text.trim() === "") {
      setState(EMPTY);
      return undefined;
    }
    setState((before) => ({ ...EMPTY, name: "checking", shape: before.shape }));
    const numbers: TaskNumber[] = [];
    const rows: number[] = [];
    timer.current = setTimeout(() => {
      const made = new Worker(new URL("./numberCheck.worker.ts", import.meta.url), { type: "module" });
      worker.current = made;
      made.addEventListener("error", () => setState((before) => ({ ...before, name: "failed" })));
      made.addEventListener("message", ({ data }: MessageEvent<CheckMessage>) => {
        if (worker.current !== made) return;
        if (data.type === "shape") setState((before) => ({ ...before, shape: data.shape }));
        if (data.type === "numbers") {
          for (const number of data.numbers) numbers.push(number);
          for (const row of data.rows) rows.push(row);
          setState((before) => ({ ...before, share: data.share }));
        }
        if (data.type === "done") {
          const { done } = data;
          setState((before) => ({ ...before, name: done ? "done" : "asked", share: 1, numbers, rows, done }));
          made.terminate();
        }
      });
      made.postMessage({ text, choice, leastDigits } satisfies CheckRequest);
    }, PAUSE_MS);
    return stop;
  }, [text, choice, leastDigits, attempt, stop]);

  const cancel = useCallback(() => {
    stop();
    setState((before) => ({ ...before, name: "cancelled" }));
  }, [stop]);
  const again = useCallback(() => setAttempt((last) => last + 1), []);
  return { ...state, cancel, again };
}

export type NumberCheck = ReturnType<typeof useNumberCheck>;
