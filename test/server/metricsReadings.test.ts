import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMetricRegistry } from "../../src/server/metrics/instruments.ts";
import { createReadings, type ReadingDeps } from "../../src/server/metrics/readings.ts";
import { silentLog } from "../support/silentLog.ts";

describe("The metrics of what is stored", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("are read once a second, however many ask for the page", async () => {
    const { registry, instruments } = await createMetricRegistry();
    let reads = 0;
    const store = {
      readers: { cursors: async () => new Map() },
      events: { head: async () => (reads += 1) },
      pool: () => null,
      isWritable: async () => true,
    };
    const status = { state: "HEALTHY", requests: 0, retries: 0, shared: 0, cached: 0, underWay: 0, queued: 0 };
    const read = createReadings(
      instruments,
      { readers: new Set(), destinations: new Map() },
      {
        // The other sources fail, which a page survives.
        store: store as unknown as ReadingDeps["store"],
        events: { checkProgress: () => null, lostEvents: () => 0 },
        clock: { doubt: () => null },
        timeZoneWatch: { aheadMs: () => 0 },
        positionOf: Number,
        service: { status: () => status as ReturnType<ReadingDeps["service"]["status"]> },
        sockets: { size: () => 0 },
        subscribers: { running: () => 0 },
        groups: { running: () => 0 },
        folders: {},
        reconcileIntervalMs: 0,
        now: Date.now,
        log: silentLog,
      },
    );
    const headOnPage = async () => /^switchboard_log_head (\d+)$/m.exec(await registry.metrics())?.[1];
    await Promise.all(Array.from({ length: 100 }, read));
    expect([reads, await headOnPage()]).toEqual([1, "1"]);
    vi.advanceTimersByTime(999);
    await read();
    expect([reads, await headOnPage()]).toEqual([1, "1"]);
    vi.advanceTimersByTime(1);
    await read();
    expect([reads, await headOnPage()]).toEqual([2, "2"]);
  });
});
