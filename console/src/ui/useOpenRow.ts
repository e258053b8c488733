// The row whose details are open, and those before and after it: j and k and the buttons of the drawer go through them.
import { useEffect, useMemo, useRef } from "react";
import { useTellPlace, type ListKind, type ListPlace } from "./drawer/ListPlace.tsx";

export function useOpenRow<Row>(deps: {
  kind: ListKind;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  isOpen: (row: Row) => boolean;
  canOpen: (row: Row) => boolean;
  onOpen: (row: Row) => void;
  /** Brings a row into sight. If the focus is in the list, it goes with it. */
  follow: (index: number) => void;
  linkOf: (key: string) => HTMLElement | null;
}): ListPlace | null {
  const { kind, rows, keyOf, isOpen, canOpen } = deps;
  const newest = useRef(deps);
  useEffect(() => {
    newest.current = deps;
  });
  const at = rows.findIndex(isOpen);
  const keyAt = (index: number) => (index === -1 ? null : keyOf(rows[index] as Row));
  const key = keyAt(at);
  const previous = keyAt(at === -1 ? -1 : rows.findLastIndex((row, index) => index < at && canOpen(row)));
  const next = keyAt(at === -1 ? -1 : rows.findIndex((row, index) => index > at && canOpen(row)));
  const place = useMemo(() => {
    if (key === null) return null;
    const opening = (wanted: string | null) => {
      if (wanted === null) return null;
      return () => {
        const { rows, keyOf, onOpen, follow } = newest.current;
        const index = rows.findIndex((row) => keyOf(row) === wanted);
        if (index === -1) return;
        onOpen(rows[index] as Row);
        follow(index);
      };
    };
    return {
      kind,
      openPrevious: opening(previous),
      openNext: opening(next),
      link: () => newest.current.linkOf(key),
    };
  }, [kind, key, previous, next]);
  useTellPlace(place);
  return place;
}
