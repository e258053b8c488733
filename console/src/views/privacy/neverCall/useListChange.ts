// Sends many numbers to the list, a thousand at a time. What is sent again changes nothing, so a change that stopped goes on.
import { useEffect, useRef, useState } from "react";
import { useSwitchboard } from "switchboard-client/react";
import { askPatiently } from "../../../data/askPatiently.ts";
import { codeOf } from "../codeOf.ts";
import { addNeverCallDocument, removeNeverCallDocument } from "../documents.ts";

export type ChangeKind = "add" | "remove";

export interface ChangeProgress {
  kind: ChangeKind;
  /** How many of the `total` people the gateway has answered for. */
  done: number;
  total: number;
  /** Entries of the list. A number may have two. */
  changed: number;
  /** Rows of the table whose numbers the gateway did not take. */
  refusedRows: readonly number[];
  /** Epoch milliseconds of the next try, where one failed. */
  waitingUntil: number | null;
}

export type ListChangeState =
  | { name: "none" }
  | { name: "running" | "cancelled" | "finished"; progress: ChangeProgress }
  | { name: "stopped"; progress: ChangeProgress; code: string };

export interface ListChange {
  state: ListChangeState;
  isBusy: boolean;
  start(kind: ChangeKind, table: Table): void;
  /** What was sent stays; the state changes when its answer is there. */
  cancel(): void;
  /** Goes on behind what was done. */
  resume(): void;
  close(): void;
}

interface Table {
  numbers: readonly { number: string }[];
  /** The row of each number. */
  rows: readonly number[];
}

const AT_ONCE = 1000;

/** `onChanged`: entries of the list were added or removed. */
export function useListChange(onChanged: () => void): ListChange {
  const client = useSwitchboard();
  const [state, setState] = useState<ListChangeState>({ name: "none" });
  const table = useRef<Table>({ numbers: [], rows: [] });
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);

  /** Without a signal: whoever cancels has to learn what the numbers that were sent did. */
  async function send(kind: ChangeKind, numbers: string[]) {
    const result =
      kind === "add"
        ? (await client.mutate(addNeverCallDocument, { numbers })).addToDoNotCall
        : (await client.mutate(removeNeverCallDocument, { numbers })).removeFromDoNotCall;
    if (!result) throw new Error("The gateway answered without a result and without an error.");
    return result;
  }
  async function run(from: ChangeProgress): Promise<void> {
    const made = new AbortController();
    const { signal } = made;
    leaving.current = made;
    const { numbers, rows } = table.current;
    let progress = from;
    const report = (changed: Partial<ChangeProgress>) => {
      progress = { ...progress, ...changed };
      if (!signal.aborted) setState({ name: "running", progress });
    };
    report({ waitingUntil: null });
    try {
      while (progress.done < numbers.length && !signal.aborted) {
        const { kind, done, changed, refusedRows } = progress;
        const some = numbers.slice(done, done + AT_ONCE).map(({ number }) => number);
        const result = await askPatiently(
          () => send(kind, some),
          signal,
          (waitingUntil) => report({ waitingUntil }),
        );
        const refused = result.unreadable.map((at) => rows[done + at] ?? 0);
        report({
          done: done + some.length,
          changed: changed + result.changed,
          refusedRows: [...refusedRows, ...refused],
          waitingUntil: null,
        });
        onChanged();
      }
      setState({ name: progress.done < numbers.length ? "cancelled" : "finished", progress });
    } catch (error) {
      setState(signal.aborted ? { name: "cancelled", progress } : { name: "stopped", progress, code: codeOf(error) });
    }
  }
  return {
    state,
    isBusy: state.name === "running" || state.name === "stopped",
    start(kind, given) {
      table.current = { numbers: given.numbers, rows: given.rows };
      const total = given.numbers.length;
      void run({ kind, done: 0, total, changed: 0, refusedRows: [], waitingUntil: null });
    },
    cancel: () => leaving.current?.abort(),
    resume() {
      if (state.name === "stopped") void run(state.progress);
    },
    close: () => setState({ name: "none" }),
  };
}
