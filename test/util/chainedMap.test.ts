import { array, assert, constantFrom, integer, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { createChainedMap } from "../../src/util/chainedMap.ts";

/** Few keys and few hashes, so that keys share a chain. */
const changes = array(tuple(constantFrom("set", "delete"), integer({ min: 0, max: 12 }), integer()), {
  maxLength: 60,
});

describe("A chained map", () => {
  it("holds the same entries in the same order as a Map, whatever the hashes of its keys", () => {
    assert(
      property(changes, integer({ min: 1, max: 5000 }), (steps, spread) => {
        const chained = createChainedMap<number, number>((key) => (key * spread) | 0);
        const map = new Map<number, number>();
        for (const [change, key, value] of steps) {
          for (const either of [chained, map]) {
            if (change === "delete") either.delete(key);
            else either.set(key, value);
          }
          expect(chained.values()).toEqual([...map.values()]);
          for (let each = 0; each <= 12; each += 1) expect(chained.get(each)).toBe(map.get(each));
        }
      }),
    );
  });

  it("tells apart texts with the same hash", () => {
    const map = createChainedMap<string, number>(() => -1);
    map.set("a", 1);
    map.set("b", 2);
    expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([1, 2, undefined]);
    map.delete("a");
    expect([map.get("a"), map.get("b")]).toEqual([undefined, 2]);
  });

  it("holds more entries than it has chains", () => {
    const map = createChainedMap<number, number>((key) => key);
    for (let key = 0; key < 5000; key += 1) map.set(key, -key);
    for (let key = 0; key < 5000; key += 2) map.delete(key);
    expect(map.values()).toHaveLength(2500);
    expect(map.get(4999)).toBe(-4999);
    expect(map.get(4998)).toBeUndefined();
  });

  it("lets entries be taken out while its values are visited", () => {
    const map = createChainedMap<number, number>((key) => key);
    for (const key of [1, 2, 3]) map.set(key, key);
    const visited: number[] = [];
    for (const value of map.values()) {
      visited.push(value);
      map.delete(value);
    }
    expect(visited).toEqual([1, 2, 3]);
    expect(map.values()).toEqual([]);
  });
});
