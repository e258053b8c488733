// Limits how many invalid requests and documents of a viewer are handled within a minute. Counted in the memory of this
// process, because they cost only its own time.
import { CodedError } from "../errors.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { createFixedWindow } from "../util/rates/fixedWindow.ts";

export interface FailureLimit {
  /** RATE_LIMITED if the viewer is over the limit, else null. */
  check(viewer: string): CodedError | null;
  /** Counts one more failure, and returns what `check` returns after it. */
  record(viewer: string): CodedError | null;
}

/** For a gateway without authentication, where viewers cannot be told apart. */
export const noFailureLimit: FailureLimit = { check: () => null, record: () => null };

export function createFailureLimit(perMinute: number, now = () => performance.now()): FailureLimit {
  const counts = new Map<string, number>();
  const minute = createFixedWindow(MINUTE_MS, now, () => counts.clear());

  function check(viewer: string): CodedError | null {
    const leftMs = minute.leftMs();
    if ((counts.get(viewer) ?? 0) <= perMinute) return null;
    const retryAfter = Math.max(1, Math.ceil(leftMs / 1000));
    return new CodedError("RATE_LIMITED", "Too many requests were refused within a minute.", { retryAfter });
  }
  return {
    check,
    record(viewer) {
      // `check` first begins the next minute where the last one is over.
      const known = check(viewer);
      if (!known) counts.set(viewer, (counts.get(viewer) ?? 0) + 1);
      return known ?? check(viewer);
    },
  };
}
