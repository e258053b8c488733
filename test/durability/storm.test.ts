import { describe, expect, it } from "vitest";
import { reconnectAll } from "./storm.ts";

describe("readers that all come back in one moment", () => {
  it("are all let in, with nothing missed, and the gateway's health stays green", { timeout: 300_000 }, async () => {
    const { told, expected, errors, statuses, longestQueue } = await reconnectAll(200);
    expect(errors).toEqual([]);
    for (const one of told) expect(one).toEqual(expected);
    expect([...statuses]).toEqual([200]);
    expect(longestQueue ?? 0).toBeLessThanOrEqual(4097);
  });
});
