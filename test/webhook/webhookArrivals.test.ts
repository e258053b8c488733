import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createWebhookArrivals } from "../../src/webhook/webhookArrivals.ts";
import { silentLog } from "../support/silentLog.ts";

function arrivals() {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  return createWebhookArrivals({ webhookPath: "/calllog", clock: () => performance.now(), log: silentLog });
}

describe("The record of webhooks", () => {
  it("counts those of the last minute, accepted and refused", () => {
    using record = arrivals();
    record.accepted();
    record.refused("WRONG_HEADER");
    vi.advanceTimersByTime(58_000);
    record.accepted();
    expect(record.status()).toMatchObject({ acceptedLastMinute: 2, refusedLastMinute: 1, refused: null });
    vi.advanceTimersByTime(3000);
    expect(record.status()).toMatchObject({ acceptedLastMinute: 1, refusedLastMinute: 0 });
    vi.advanceTimersByTime(60_000);
    expect(record.status()).toMatchObject({ acceptedLastMinute: 0, lastAcceptedAt: "1970-01-01T00:00:58.000Z" });
  });

  it("has the first, the last and the number of those that were refused after the last accepted one", () => {
    using record = arrivals();
    record.refused("MISSING_HEADER");
    vi.advanceTimersByTime(1000);
    record.accepted();
    record.refused("NOT_STORED");
    vi.advanceTimersByTime(1000);
    record.refused("WRONG_PATH", "graphql");
    record.refused("NOT_STORED");
    expect(record.status().refused).toEqual({
      since: "1970-01-01T00:00:01.000Z",
      lastAt: "1970-01-01T00:00:02.000Z",
      count: 3,
      reasons: [
        { reason: "NOT_STORED", count: 2 },
        { reason: "WRONG_PATH", count: 1 },
      ],
    });
  });
});
