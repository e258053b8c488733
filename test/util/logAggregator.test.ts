import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createLogAggregator } from "../../src/util/logAggregator.ts";

let reports: Record<string, number>[];
beforeEach(() => {
  reports = [];
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});
const open = (firstAtOnce: boolean) =>
  createLogAggregator((counts) => void reports.push(counts), { intervalMs: 1000, reportsFirstAtOnce: firstAtOnce });

describe("The log aggregator", () => {
  it("reports once how often each event happened", () => {
    const aggregator = open(false);
    for (let at = 0; at < 1000; at += 1) aggregator.add(at % 4 === 0 ? "refused" : "gone");
    expect(reports).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(reports).toEqual([{ refused: 250, gone: 750 }]);
    vi.advanceTimersByTime(5000);
    aggregator.add("gone");
    aggregator[Symbol.dispose]();
    aggregator[Symbol.dispose]();
    vi.advanceTimersByTime(5000);
    expect(reports).toEqual([{ refused: 250, gone: 750 }, { gone: 1 }]);
  });

  it("reports the first event at once if wanted, and the others with their count", () => {
    const aggregator = open(true);
    for (let at = 0; at < 100; at += 1) aggregator.add("wrong");
    expect(reports).toEqual([{ wrong: 1 }]);
    vi.advanceTimersByTime(1000);
    expect(reports).toEqual([{ wrong: 1 }, { wrong: 99 }]);
    aggregator.add("missing");
    vi.advanceTimersByTime(999);
    expect(reports).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(reports.at(-1)).toEqual({ missing: 1 });
    vi.advanceTimersByTime(1000);
    aggregator.add("wrong");
    expect(reports.slice(3)).toEqual([{ wrong: 1 }]);
    aggregator[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([true, false])("never reports more often than the interval (the first at once: %s)", (firstAtOnce) => {
    const aggregator = open(firstAtOnce);
    for (let at = 0; at < 10_000; at += 1) {
      aggregator.add("wrong");
      vi.advanceTimersByTime(1);
    }
    aggregator[Symbol.dispose]();
    expect(reports.length).toBeLessThanOrEqual(11);
    expect(reports.reduce((sum, { wrong = 0 }) => sum + wrong, 0)).toBe(10_000);
  });
});
