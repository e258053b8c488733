// Moves through the rows by keyboard. The focus is on the link of a row, which Enter follows.
import { useRef, type RefObject } from "react";

export interface RowFocus {
  /** From the row that has the focus, or had it last. */
  move: (step: number) => void;
  /** Brings a row into sight. If the focus is in the list, it goes with it. */
  follow: (index: number) => void;
  linkOf: (key: string) => HTMLElement | null;
}

export function useRowFocus<Row>(deps: {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  element: RefObject<HTMLElement | null>;
  show: (index: number) => void;
}): RowFocus {
  const { rows, keyOf, element, show } = deps;
  const lastKey = useRef<string | null>(null);

  function linkOf(key: string): HTMLElement | null {
    return element.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"] :is(a, [tabindex])`) ?? null;
  }
  function focus(index: number): void {
    const row = rows[index];
    if (!row) return;
    lastKey.current = keyOf(row);
    show(index);
    // The row may have to be drawn first.
    requestAnimationFrame(() => requestAnimationFrame(() => linkOf(keyOf(row))?.focus()));
  }
  function move(step: number): void {
    const focused = document.activeElement?.closest<HTMLElement>("[data-key]")?.dataset["key"];
    const key = focused ?? lastKey.current;
    const from = key === null ? -1 : rows.findIndex((row) => keyOf(row) === key);
    focus(Math.min(rows.length - 1, Math.max(0, from + step)));
  }
  function follow(index: number): void {
    if (element.current?.contains(document.activeElement)) focus(index);
    else show(index);
  }
  return { move, follow, linkOf };
}
