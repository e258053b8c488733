import { describe, expect, it } from "vitest";
import type { RetryPolicy } from "../../src/recordings/retrySchedule.ts";
import { nextRetryMs, RETRY_SCHEDULE } from "../../src/recordings/retrySchedule.ts";

/** Seconds before each further try. */
function tries(retry: RetryPolicy): number[] {
  const waits: number[] = [];
  for (let attempts = 1; ; attempts += 1) {
    const ms = nextRetryMs(RETRY_SCHEDULE, attempts, retry);
    if (ms === null) return waits;
    waits.push(ms / 1000);
  }
}

describe("A57: the retries of a download", () => {
  it("come after 1, 2, 5, 15 and 60 s, then less often for a day, after a temporary failure", () => {
    const waits = tries("forADay");
    expect(waits.slice(0, 9)).toEqual([1, 2, 5, 15, 60, 300, 900, 3600, 3600]);
    const hours = waits.reduce((sum, s) => sum + s, 0) / 3600;
    expect(hours).toBeGreaterThan(23);
    expect(hours).toBeLessThanOrEqual(24);
  });

  it("are few after a failure that may be permanent, and none after a permanent one", () => {
    expect(tries("briefly")).toEqual([1, 2, 5, 15, 60]);
    expect(tries("never")).toEqual([]);
  });
});
