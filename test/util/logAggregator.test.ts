import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createLogAggregator } from "../../src/util/logAggregator.ts";

let told: Record<string, number>[];
beforeEach(() => {
  told = [];
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});
const open = (firstAtOnce: boolean) =>
  createLogAggregator((counts) => void told.push(counts), { intervalMs: 1000, reportsFirstAtOnce: firstAtOnce });

describe("what happens often is told once in a while", () => {
  it("reports how often each event happened, and nothing twice", () => {
    const tally = open(false);
    for (let at = 0; at < 1000; at += 1) tally.add(at % 4 === 0 ? "refused" : "gone");
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(told).toEqual([{ refused: 250, gone: 750 }]);
    vi.advanceTimersByTime(5000);
    tally.add("gone");
    tally[Symbol.dispose]();
    tally[Symbol.dispose]();
    vi.advanceTimersByTime(5000);
    expect(told).toEqual([{ refused: 250, gone: 750 }, { gone: 1 }]);
  });

  it("reports the first event at once if wanted, and the others with their count", () => {
    const tally = open(true);
    for (let at = 0; at < 100; at += 1) tally.add("wrong");
    expect(told).toEqual([{ wrong: 1 }]);
    vi.advanceTimersByTime(1000);
    expect(told).toEqual([{ wrong: 1 }, { wrong: 99 }]);
    tally.add("missing");
    vi.advanceTimersByTime(999);
    expect(told).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(told.at(-1)).toEqual({ missing: 1 });
    vi.advanceTimersByTime(1000);
    tally.add("wrong");
    expect(told.slice(3)).toEqual([{ wrong: 1 }]);
    tally[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([true, false])("never reports more often than the interval (the first at once: %s)", (firstAtOnce) => {
    const tally = open(firstAtOnce);
    for (let at = 0; at < 10_000; at += 1) {
      tally.add("wrong");
      vi.advanceTimersByTime(1);
    }
    tally[Symbol.dispose]();
    expect(told.length).toBeLessThanOrEqual(11);
    expect(told.reduce((sum, { wrong = 0 }) => sum + wrong, 0)).toBe(10_000);
  });
});
