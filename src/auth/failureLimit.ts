// Limits how many invalid requests and documents of a viewer are handled within a minute. Counted in the memory of this
// process, because they cost only its own time.
import { CodedError } from "../errors.ts";

export interface FailureLimit {
  /** RATE_LIMITED if the viewer is over the limit, else null. */
  check(viewer: string): CodedError | null;
  /** Counts one more failure, and returns what `check` returns after it. */
  record(viewer: string): CodedError | null;
}

/** For a gateway without authentication, where viewers cannot be told apart. */
export const noFailureLimit: FailureLimit = { check: () => null, record: () => null };

const WINDOW_MS = 60_000;

/** All viewers share one window, so that its end clears them all at once. */
export function createFailureLimit(perMinute: number, now = () => performance.now()): FailureLimit {
  const counts = new Map<string, number>();
  let endsAt = now() + WINDOW_MS;

  function check(viewer: string): CodedError | null {
    const at = now();
    if (at >= endsAt) {
      counts.clear();
      endsAt = at + WINDOW_MS;
    }
    if ((counts.get(viewer) ?? 0) <= perMinute) return null;
    const retryAfter = Math.max(1, Math.ceil((endsAt - at) / 1000));
    return new CodedError("RATE_LIMITED", "Too many requests were refused within a minute.", { retryAfter });
  }
  return {
    check,
    record(viewer) {
      // `check` first starts a new window where the last one is over.
      const known = check(viewer);
      if (!known) counts.set(viewer, (counts.get(viewer) ?? 0) + 1);
      return known ?? check(viewer);
    },
  };
}
