import { useEffect, useRef } from "react";

/** Calls `action` again and again while the page is in sight. */
export function useEvery(intervalMs: number, action: () => void): void {
  const newest = useRef(action);
  useEffect(() => {
    newest.current = action;
  });
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && newest.current(), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
}
