// Holds a list still: while it is paused, while somebody reads further down, and while the pointer moves over it. The stream
// goes on meanwhile.
import { useEffect, useRef, useState } from "react";
import type { LiveItem } from "./useLiveCalls.ts";

export type HoldReason = "pause" | "scroll" | "pointer";

export interface Held {
  items: readonly LiveItem[];
  reason: HoldReason | null;
  /** Items that came meanwhile. */
  freshCount: number;
  setReason(reason: HoldReason, isHeld: boolean): void;
  onPointer: { onPointerMove: () => void; onPointerLeave: () => void };
}

/** A pointer that rests does not hold the list. */
const POINTER_MS = 4000;
const ORDER = ["pause", "scroll", "pointer"] as const;

export function useHeld(items: readonly LiveItem[]): Held {
  const [reasons, setReasons] = useState<ReadonlySet<HoldReason>>(new Set());
  const [frozen, setFrozen] = useState<readonly LiveItem[] | null>(null);
  const reason = ORDER.find((each) => reasons.has(each)) ?? null;
  // State that follows from other state is set while rendering, so that no row moves before the list is held.
  if (reason !== null && frozen === null) setFrozen(items);
  if (reason === null && frozen !== null) setFrozen(null);

  function setReason(which: HoldReason, isHeld: boolean): void {
    setReasons((before) => {
      if (before.has(which) === isHeld) return before;
      const next = new Set(before);
      if (isHeld) next.add(which);
      else next.delete(which);
      return next;
    });
  }
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  function release(): void {
    clearTimeout(timer.current);
    setReason("pointer", false);
  }
  const shown = reason === null ? items : (frozen ?? items);
  const at = shown === items || !shown[0] ? -1 : items.indexOf(shown[0]);
  const freshCount = shown === items ? 0 : at === -1 ? items.length : at;
  return {
    items: shown,
    reason,
    freshCount,
    setReason,
    onPointer: {
      onPointerMove() {
        clearTimeout(timer.current);
        timer.current = setTimeout(release, POINTER_MS);
        setReason("pointer", true);
      },
      onPointerLeave: release,
    },
  };
}
