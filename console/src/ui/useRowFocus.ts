// Moves through the rows by keyboard. The focus is on the link of a row, which Enter follows.
import { useRef, type RefObject } from "react";
import { useShortcuts } from "../frame/useShortcuts.ts";

export function useRowFocus<Row>(deps: {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  element: RefObject<HTMLElement | null>;
  show: (index: number) => void;
}) {
  const { rows, keyOf, element, show } = deps;
  const lastKey = useRef<string | null>(null);

  function move(step: number): void {
    const focused = document.activeElement?.closest<HTMLElement>("[data-key]")?.dataset["key"];
    const key = focused ?? lastKey.current;
    const from = key === null ? -1 : rows.findIndex((row) => keyOf(row) === key);
    const index = Math.min(rows.length - 1, Math.max(0, from + step));
    const row = rows[index];
    if (!row) return;
    lastKey.current = keyOf(row);
    show(index);
    // The row may have to be drawn first.
    requestAnimationFrame(() => requestAnimationFrame(() => linkOf(element.current, keyOf(row))?.focus()));
  }
  useShortcuts({ j: () => move(1), k: () => move(-1) });
  return { move };
}

function linkOf(element: HTMLElement | null, key: string): HTMLElement | null {
  return element?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"] :is(a, [tabindex])`) ?? null;
}
