// How the answer rate of Live puts minutes together.
import { describe, expect, it } from "vitest";
import { LEAST_CALLS, rateBinsOf } from "../../console/src/views/live/rateBins.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-11-26T10:00:00Z");
const hour = (callsOf: (minute: number) => number) =>
  Array.from({ length: 60 }, (_, minute) => {
    const calls = callsOf(minute);
    return { at: START + minute * MINUTE, calls, answered: Math.floor(calls / 2) };
  });
const widthsOf = (callsOf: (minute: number) => number) => [
  ...new Set(rateBinsOf(hour(callsOf)).map(({ from, to }) => (to - from) / MINUTE)),
];

describe("The bins of the answer rate", () => {
  it.each([
    [60, 1],
    [5, 2],
    [2, 5],
    [1, 10],
  ])("with %i calls in each minute are %i minutes wide", (calls, width) => {
    expect(widthsOf(() => calls)).toEqual([width]);
    expect(rateBinsOf(hour(() => calls)).every(({ rate }) => rate !== null)).toBe(true);
  });

  it("have no rate where an hour has too few calls", () => {
    const bins = rateBinsOf(hour((minute) => (minute === 3 || minute === 40 ? LEAST_CALLS - 1 : 0)));
    expect(bins.map(({ rate }) => rate)).toEqual(Array(60).fill(null));
  });

  it("are wider where every fifth minute has too few calls", () => {
    expect(widthsOf((minute) => (minute % 5 === 0 ? LEAST_CALLS - 1 : LEAST_CALLS))).toEqual([2]);
  });

  it("have a rate of their own calls alone, beside quiet ones without", () => {
    const bins = rateBinsOf(hour((minute) => (minute < 2 ? 100 : 0)));
    expect(bins.slice(0, 3).map(({ calls, rate }) => [calls, rate])).toEqual([
      [100, 0.5],
      [100, 0.5],
      [0, null],
    ]);
  });
});
