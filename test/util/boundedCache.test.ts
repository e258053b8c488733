import { describe, expect, it } from "vitest";
import { createBoundedCache } from "../../src/util/boundedCache.ts";

function cacheOf(limits: Parameters<typeof createBoundedCache>[0], entries: readonly [string, number][]) {
  const cache = createBoundedCache<string, string>(limits);
  for (const [key, size] of entries) cache.set(key, `value of ${key}`, size);
  return { ...cache, keys: () => ["a", "b", "c", "d"].filter(cache.has) };
}

describe("a bounded cache", () => {
  it("evicts the least recently used entry beyond its number of entries", () => {
    const cache = cacheOf({ maxEntries: 3 }, [
      ["a", 1],
      ["b", 1],
      ["c", 1],
    ]);
    expect(cache.get("a")).toBe("value of a");
    cache.set("d", "value of d");
    expect(cache.keys()).toEqual(["a", "c", "d"]);
  });

  it("evicts as many entries as a new one needs beyond its size", () => {
    const cache = cacheOf({ maxEntries: 9, maxSize: 10 }, [
      ["a", 4],
      ["b", 4],
      ["c", 2],
    ]);
    cache.set("d", "value of d", 5);
    expect(cache.keys()).toEqual(["c", "d"]);
  });

  it("keeps no entry that is larger than itself, and evicts nothing for it", () => {
    const cache = cacheOf({ maxEntries: 9, maxSize: 10 }, [["a", 10]]);
    cache.set("b", "value of b", 11);
    expect(cache.keys()).toEqual(["a"]);
  });

  it("counts a replaced entry once, with its new size", () => {
    const cache = cacheOf({ maxEntries: 2, maxSize: 10 }, [
      ["a", 9],
      ["b", 1],
    ]);
    cache.set("a", "new", 2);
    cache.set("b", "value of b", 8);
    expect([cache.keys(), cache.get("a")]).toEqual([["a", "b"], "new"]);
  });

  it("does not count entries after delete or clear", () => {
    const cache = cacheOf({ maxEntries: 9, maxSize: 10 }, [
      ["a", 5],
      ["b", 5],
    ]);
    cache.delete("a");
    cache.set("c", "value of c", 5);
    expect(cache.keys()).toEqual(["b", "c"]);
    cache.clear();
    cache.set("d", "value of d", 10);
    expect(cache.keys()).toEqual(["d"]);
  });
});
