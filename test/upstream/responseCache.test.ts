import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { coversTask, createResponseCache } from "../../src/upstream/responseCache.ts";

describe("the response cache", () => {
  it("is bounded by number and size, and evicts the oldest first", () => {
    const cache = createResponseCache({ ttlMs: 1000, now: () => 0, maxEntries: 3, maxSize: 10 });
    const present = (keys: string) =>
      keys
        .split("")
        .filter((key) => cache.get(key))
        .join("");
    for (const key of "abcd") cache.set(key, [], { value: key, size: 1 });
    expect(present("abcd")).toBe("bcd");
    cache.set("e", [], { value: 1, size: 9 });
    expect(present("bcde")).toBe("de");
    cache.set("f", [], { value: 1, size: 11 });
    expect(present("def")).toBe("de");
    cache.set("g", [], { value: 1, size: 10 });
    expect(present("defg")).toBe("g");
    cache.clear();
    expect(present("defg")).toBe("");
  });

  it("drops expired entries by a timer, also of entries that were set after clear", () => {
    vi.useFakeTimers();
    try {
      const responses = createResponseCache({ ttlMs: 1000, now: () => Date.now() });
      const value = new Error("a value");
      responses.set("a", [], { value, size: 1 });
      responses.clear();
      expect(vi.getTimerCount()).toBe(0);
      responses.set("b", [], { value, size: 1 });
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(1000);
      expect([responses.get("b"), vi.getTimerCount()]).toEqual([undefined, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("stays within its bounds in any order of set and invalidate", () => {
    const step = fc.record({
      key: fc.constantFrom("a", "b", "c", "d", "e"),
      size: fc.integer({ min: 0, max: 12 }),
      forgets: fc.boolean(),
      later: fc.integer({ min: 0, max: 400 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = 0;
        const cache = createResponseCache({ ttlMs: 1000, now: () => now, maxEntries: 3, maxSize: 20 });
        const newest = new Map<string, { value: number; at: number; size: number }>();
        /** The freshness of every response that was ever set. */
        const handedOut: { key: string; at: number; freshness: { readonly endsAt: number } }[] = [];
        for (const [at, { key, size, forgets, later }] of steps.entries()) {
          now += later;
          if (forgets) cache.invalidate(key);
          else handedOut.push({ key, at, freshness: cache.set(key, [key], { value: at, size }) });
          if (forgets) newest.delete(key);
          else newest.set(key, { value: at, at: now, size });
          const present = ["a", "b", "c", "d", "e"].filter((each) => cache.get(each));
          expect(present.length).toBeLessThanOrEqual(3);
          // A response is fresh for as long as it is the cached one.
          for (const one of handedOut) expect(one.freshness.endsAt > now).toBe(cache.get(one.key)?.value === one.at);
          expect(present.reduce((sum, each) => sum + (newest.get(each)?.size ?? Infinity), 0)).toBeLessThanOrEqual(20);
          for (const each of present) {
            expect(cache.get(each)?.value).toBe(newest.get(each)?.value);
            expect(now - (newest.get(each)?.at ?? -Infinity)).toBeLessThan(1000);
          }
        }
        cache.clear();
      }),
    );
  });
});

describe("the responses that cover a task", () => {
  it("are the same by the index as by a scan", () => {
    const taskIds = fc.uniqueArray(fc.constantFrom("1", "2", "3"), { maxLength: 3 });
    const step = fc.oneof(
      fc.record({ set: fc.constantFrom("a", "b", "c", "d"), taskIds }),
      fc.record({ forget: fc.constantFrom("1", "2", "3", null) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const cache = createResponseCache({ ttlMs: 1000, now: () => 0 });
        let model = new Map<string, { taskIds: string[]; value: number }>();
        for (const [value, each] of steps.entries()) {
          if ("set" in each) {
            cache.set(each.set, each.taskIds, { value, size: 1 });
            model.set(each.set, { taskIds: each.taskIds, value });
          } else {
            cache.invalidate(each.forget);
            model = new Map([...model].filter(([, entry]) => !coversTask(entry.taskIds, each.forget)));
          }
          for (const key of ["a", "b", "c", "d"]) expect(cache.get(key)?.value).toBe(model.get(key)?.value);
        }
        cache.clear();
      }),
    );
  });
});
