// How often a viewer was refused within a minute: documents that are not right, and requests that are none. Counted in this
// process's memory, for what they cost is its own time.
import { CodedError } from "../errors.ts";

export interface FailureLimit {
  /** What a viewer is told who was refused too often; null: nobody was. */
  check(viewer: string): CodedError | null;
  /** Counts one more, and gives what `excess` gives then. */
  record(viewer: string): CodedError | null;
}

/** Where everyone is let in nobody is told apart, and nobody is counted. */
export const noFailureLimit: FailureLimit = { check: () => null, record: () => null };

const WINDOW_MS = 60_000;

/** One window for all, so that forgetting them costs nothing, however many they were. */
export function createFailureLimit(perMinute: number, now = () => performance.now()): FailureLimit {
  const counts = new Map<string, number>();
  let endsAt = now() + WINDOW_MS;

  function excess(viewer: string): CodedError | null {
    const at = now();
    if (at >= endsAt) {
      counts.clear();
      endsAt = at + WINDOW_MS;
    }
    if ((counts.get(viewer) ?? 0) <= perMinute) return null;
    const retryAfter = Math.max(1, Math.ceil((endsAt - at) / 1000));
    return new CodedError("RATE_LIMITED", "Too much was refused within a minute.", { retryAfter });
  }
  return {
    check: excess,
    record(viewer) {
      // A window that is over is left first.
      const known = excess(viewer);
      if (!known) counts.set(viewer, (counts.get(viewer) ?? 0) + 1);
      return known ?? excess(viewer);
    },
  };
}
