import { useEffect, useRef, useState } from "react";

/** The value at once, and then the newest one at most every `ms`: many changes cost one rendering. */
export function useThrottled<T>(value: T, ms: number): T {
  const [shown, setShown] = useState(value);
  const newest = useRef(value);
  const last = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    newest.current = value;
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        last.current = Date.now();
        setShown(newest.current);
      },
      Math.max(0, last.current + ms - Date.now()),
    );
  }, [value, ms]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return shown;
}
