import { describe, expect, it } from "vitest";
import { reconnectAll } from "./storm.ts";

describe("Two hundred readers that reconnect at the same moment", () => {
  it("all resume without a gap, while /readyz and /livez answer 200", { timeout: 300_000 }, async () => {
    const { sessionIds, expected, errors, statuses, longestQueue } = await reconnectAll(200);
    expect(errors).toEqual([]);
    for (const one of sessionIds) expect(one).toEqual(expected);
    expect([...statuses]).toEqual([200]);
    expect(longestQueue ?? 0).toBeLessThanOrEqual(4097);
  });
});
