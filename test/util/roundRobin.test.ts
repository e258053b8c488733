import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRoundRobin } from "../../src/util/roundRobin.ts";

describe("Round robin", () => {
  it("takes one item of each name in turn, and those of a name in their order", () => {
    const waiting = createRoundRobin<string>();
    for (const item of ["a1", "a2", "a3", "b1", "c1", "c2"]) waiting.add(item.charAt(0), item);
    expect(waiting.countOf("a")).toBe(3);
    expect(Array.from({ length: 7 }, () => waiting.take())).toEqual(["a1", "b1", "c1", "a2", "c2", "a3", undefined]);
    expect(waiting.countOf("a")).toBe(0);
  });

  it("passes over a name that may not have a turn, which keeps its place", () => {
    const waiting = createRoundRobin<string>();
    for (const item of ["a1", "b1", "b2"]) waiting.add(item.charAt(0), item);
    expect(waiting.take((name) => name !== "a")).toBe("b1");
    expect(waiting.take(() => false)).toBeUndefined();
    expect([waiting.take(), waiting.take()]).toEqual(["a1", "b2"]);
  });

  it("gives each item that is not removed once, and lets no name wait for more than one item of each other name", () => {
    const names = fc.constantFrom("a", "b", "c", "d");
    fc.assert(
      fc.property(fc.array(names), fc.array(fc.nat(50)), (added, removed) => {
        const waiting = createRoundRobin<number>();
        added.forEach((name, item) => waiting.add(name, item));
        const gone = new Set(removed.filter((item) => item < added.length));
        for (const item of gone) waiting.remove(added[item] ?? "", item);
        const taken: number[] = [];
        for (let item = waiting.take(); item !== undefined; item = waiting.take()) taken.push(item);
        expect(taken.toSorted((a, b) => a - b)).toEqual([...added.keys()].filter((item) => !gone.has(item)));
        const rounds = new Map<string, number>();
        const roundOf = taken.map((item) => {
          const name = added[item] ?? "";
          rounds.set(name, (rounds.get(name) ?? 0) + 1);
          return rounds.get(name) ?? 0;
        });
        expect(roundOf).toEqual(roundOf.toSorted((a, b) => a - b));
      }),
    );
  });
});
