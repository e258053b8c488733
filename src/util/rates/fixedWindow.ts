// A window of time of a fixed length, which all counts of a limit share: its end clears them at once. The next one begins with the
// first look after the end.

export interface FixedWindow {
  /** Begins the next window if this one is over. Returns the milliseconds until its end. */
  leftMs(): number;
}

/** `now`: milliseconds of a monotonic clock. `clear`: called when a window is over. */
export function createFixedWindow(lengthMs: number, now: () => number, clear: () => void): FixedWindow {
  let endsAt = now() + lengthMs;
  return {
    leftMs() {
      const at = now();
      if (at >= endsAt) {
        clear();
        endsAt = at + lengthMs;
      }
      return endsAt - at;
    },
  };
}
