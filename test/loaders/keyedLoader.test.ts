import { describe, expect, it } from "vitest";
import { onceByKey, trackSettled } from "../../src/loaders/keyedLoader.ts";

describe("onceByKey", () => {
  it("answers a known key with the same promise, so that a list of calls of one task costs one", async () => {
    const fetched: string[] = [];
    const fetch = async (key: string) => (fetched.push(key), key.toUpperCase());
    const loader = onceByKey(fetch, (key) => key);
    const first = loader.load("a");
    expect(loader.load("a")).toBe(first);
    expect([await first, fetched]).toEqual(["A", ["a"]]);
  });

  it("calls back before each further use of a result", async () => {
    const reused: string[] = [];
    const loader = onceByKey(
      async (key: string) => key.toUpperCase(),
      (key) => key,
      (value) => void reused.push(value),
    );
    await loader.load("a");
    expect(reused).toEqual([]);
    expect([await loader.load("a"), await loader.load("a"), reused]).toEqual(["A", "A", ["A", "A"]]);
  });
});

describe("trackSettled", () => {
  it("settles after failed loads too, and after loads that earlier loads lead to", async () => {
    const answers = new Map(["a", "b", "c"].map((name) => [name, Promise.withResolvers<string>()]));
    const loader = trackSettled({ load: async (name: string) => (await answers.get(name)?.promise) ?? "" });
    const order: string[] = [];
    const follow = async () => {
      await loader.load("a");
      order.push("a");
      await loader.load("c");
      order.push("c");
    };
    const failing = loader.load("b").catch(() => order.push("b failed"));
    const followed = follow();
    const settled = loader.settled().then(() => order.push("settled"));
    answers.get("b")?.reject(new Error("No."));
    await failing;
    answers.get("a")?.resolve("");
    await Promise.resolve();
    answers.get("c")?.resolve("");
    await Promise.all([followed, settled]);
    expect(order).toEqual(["b failed", "a", "c", "settled"]);
  });

  it("settles at once if nothing is being loaded", async () => {
    await expect(trackSettled({ load: async () => 1 }).settled()).resolves.toBeUndefined();
  });
});
