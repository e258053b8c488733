import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGroupedRoundRobin, createRoundRobin } from "../../src/util/roundRobin.ts";

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

describe("Round robin by groups", () => {
  it("gives each item once: groups in turn, names of a group in turn, and the items of a name in their order", () => {
    const places = fc.record({ group: fc.constantFrom("a", "b", "c"), name: fc.constantFrom("x", "y", "z") });
    fc.assert(
      fc.property(fc.array(places), fc.nat(10), (added, takenBetween) => {
        const waiting = createGroupedRoundRobin<number>();
        added.slice(0, takenBetween).forEach((place, item) => waiting.add(place, item));
        const early = added.slice(0, takenBetween).map(() => waiting.take());
        expect(waiting.take()).toBeUndefined();
        const rest = added.slice(takenBetween);
        rest.forEach((place, at) => waiting.add(place, takenBetween + at));
        const taken = rest.map(() => waiting.take() ?? -1);
        expect([...early, ...taken].toSorted((a, b) => Number(a) - Number(b))).toEqual([...added.keys()]);
        expectTurns(taken.map((item) => added[item]?.group ?? ""));
        for (const group of ["a", "b", "c"]) {
          const own = taken.filter((item) => added[item]?.group === group);
          expectTurns(own.map((item) => added[item]?.name ?? ""));
          for (const name of ["x", "y", "z"]) {
            const ofName = own.filter((item) => added[item]?.name === name);
            expect(ofName).toEqual(ofName.toSorted((a, b) => a - b));
          }
        }
      }),
    );
  });
});

/** No name has its second turn before each other name that waits has had its first. */
function expectTurns(names: readonly string[]): void {
  const counts = new Map<string, number>();
  const rounds = names.map((name) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts.get(name) ?? 0;
  });
  expect(rounds).toEqual(rounds.toSorted((a, b) => a - b));
}
