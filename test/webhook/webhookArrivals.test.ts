import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createWebhookArrivals } from "../../src/webhook/webhookArrivals.ts";
import { silentLog } from "../support/silentLog.ts";

function arrivals() {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  return createWebhookArrivals({ webhookPath: "/calllog", clock: () => performance.now(), log: silentLog });
}

describe("The record of webhooks", () => {
  it("counts the webhooks in a row that could not be read", () => {
    using record = arrivals();
    for (const isReadable of [true, false, false]) record.accepted(isReadable);
    expect(record.status()).toMatchObject({ unreadableInARow: 2, acceptedLastMinute: 3, refused: null });
    record.refused("WRONG_HEADER");
    expect(record.status()).toMatchObject({ unreadableInARow: 2 });
    record.accepted(true);
    expect(record.status()).toMatchObject({ unreadableInARow: 0 });
  });

  it("counts those of the last minute, accepted and refused", () => {
    using record = arrivals();
    record.accepted(true);
    record.refused("WRONG_HEADER");
    vi.advanceTimersByTime(58_000);
    record.accepted(true);
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
    record.accepted(true);
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
