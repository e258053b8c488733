import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFloodLog } from "../../src/auth/floodLog.ts";

const MINUTE = 60_000;

function open() {
  const lines: [Record<string, unknown>, string][] = [];
  const flood = createFloodLog({ warn: (...line) => void lines.push(line) });
  return { flood, lines, taken: () => lines.splice(0) };
}
const lineOf = (viewer: string, limits: Record<string, number>) => [
  { viewer, refused: Object.values(limits).reduce((sum, count) => sum + count, 0), limits },
  "a viewer is refused by its limits",
];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("The line about a viewer that is refused by its limits", () => {
  it("is written at the first refusal, and then once a minute with the number of refusals", () => {
    const { flood, taken } = open();
    for (let at = 0; at < 1000; at += 1) flood.refused("web", at % 4 === 0 ? "rows" : "requests");
    expect(taken()).toEqual([lineOf("web", { rows: 1 })]);
    vi.advanceTimersByTime(MINUTE - 1);
    expect(taken()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(taken()).toEqual([lineOf("web", { requests: 750, rows: 249 })]);
    flood.refused("web", "tasks");
    expect(taken()).toEqual([]);
    vi.advanceTimersByTime(MINUTE);
    expect(taken()).toEqual([lineOf("web", { tasks: 1 })]);
    vi.advanceTimersByTime(MINUTE);
    expect([taken(), vi.getTimerCount()]).toEqual([[], 0]);
    flood.refused("web", "requests");
    expect(taken()).toEqual([lineOf("web", { requests: 1 })]);
  });

  it("is written for each viewer apart, never twice within a minute", () => {
    const { flood, taken } = open();
    flood.refused("web", "requests");
    vi.advanceTimersByTime(MINUTE / 2);
    flood.refused("ops", "requests");
    flood.refused("ops", "requests");
    flood.refused("web", "requests");
    expect(taken()).toHaveLength(2);
    vi.advanceTimersByTime(MINUTE / 2);
    expect(taken()).toEqual([lineOf("web", { requests: 1 })]);
    vi.advanceTimersByTime(MINUTE / 2);
    expect(taken()).toEqual([lineOf("ops", { requests: 1 })]);
  });

  it("is one for all viewers beyond a thousand, whose names are not kept", () => {
    const { flood, taken } = open();
    for (let at = 0; at < 5000; at += 1) flood.refused(`viewer ${at}`, "requests");
    expect(taken()).toHaveLength(1001);
    vi.advanceTimersByTime(MINUTE);
    expect(taken()).toEqual([
      [{ refused: 3999, limits: { requests: 3999 } }, "further viewers are refused by their limits"],
    ]);
    vi.advanceTimersByTime(MINUTE);
    flood.refused("viewer 4999", "requests");
    expect(taken()).toEqual([lineOf("viewer 4999", { requests: 1 })]);
  });

  it("is written at the end for what no line has told", () => {
    const { flood, taken } = open();
    for (let at = 0; at < 3; at += 1) flood.refused("web", "operationSize");
    flood.refused("ops", "rows");
    taken();
    flood[Symbol.dispose]();
    expect(taken()).toEqual([lineOf("web", { operationSize: 2 })]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
