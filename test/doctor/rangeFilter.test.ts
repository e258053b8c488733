import { describe, expect, it } from "vitest";
import { pickProbeCalls } from "../../src/doctor/rangeFilter.ts";
import { row } from "./rows.ts";

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => row({ id: String(at), start: at * 60, end: at * 60 + 30 }));
const picked = (count: number) => pickProbeCalls(rows(count), () => true).map(({ key }) => Number(key));

describe("The calls that doctor probes a range with", () => {
  it("are all calls, each once, if there are few", () => {
    expect([picked(0), picked(1), picked(2)]).toEqual([[], [0], [0, 1]]);
  });

  it("are spread from the first to the last if there are many", () => {
    const many = picked(1000);
    expect(new Set(many).size).toBe(many.length);
    expect([many[0], many.at(-1)]).toEqual([0, 999]);
  });

  it("are none whose times cannot be converted, or are less than 3 s apart", () => {
    expect(pickProbeCalls(rows(9), () => false)).toEqual([]);
    expect(pickProbeCalls([row({ id: "1", start: 0, end: 2 })], () => true)).toEqual([]);
  });
});
