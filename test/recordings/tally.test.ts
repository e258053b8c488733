import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTally } from "../../src/recordings/tally.ts";

describe("what happens often is told once a second", () => {
  it("with how often it was, and nothing is told twice", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const told: Record<string, number>[] = [];
    const tally = createTally((counts) => void told.push(counts));
    for (let at = 0; at < 1000; at += 1) tally.add(at % 4 === 0 ? "refused" : "gone");
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(told).toEqual([{ refused: 250, gone: 750 }]);
    vi.advanceTimersByTime(5000);
    tally.add("gone");
    tally.tell();
    tally.tell();
    vi.advanceTimersByTime(5000);
    expect(told).toEqual([{ refused: 250, gone: 750 }, { gone: 1 }]);
  });
});
