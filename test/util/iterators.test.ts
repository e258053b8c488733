import { describe, expect, it } from "vitest";
import { DONE, iterate, mapItems } from "../../src/util/iterators.ts";

/** Counts up from 1 without end, until it is ended. */
function numbers() {
  let last = 0;
  let ends = 0;
  const items = iterate<number>(
    async () => (ends > 0 ? DONE : { done: false, value: (last += 1) }),
    () => (ends += 1),
  );
  return { items, ends: () => ends };
}

describe("Mapped items", () => {
  it("leave out what is mapped to undefined, at once or later, and keep null", async () => {
    const { items } = numbers();
    const mapped = mapItems(items, (item) => (item % 2 ? undefined : Promise.resolve(item % 4 ? null : item)));
    const taken: unknown[] = [];
    for await (const item of mapped) if (taken.push(item) === 4) break;
    expect(taken).toEqual([null, 4, null, 8]);
  });

  it("end their source when they are ended, once", async () => {
    const { items, ends } = numbers();
    const mapped = mapItems(items, String);
    expect(await mapped.next()).toEqual({ done: false, value: "1" });
    expect(await mapped.return?.()).toEqual(DONE);
    expect([ends(), await mapped.next()]).toEqual([1, DONE]);
  });

  it("reject as their map or their source does", async () => {
    const failing = mapItems(numbers().items, () => Promise.reject(new Error("no item")));
    await expect(failing.next()).rejects.toThrow("no item");
    const broken = iterate<number>(
      () => Promise.reject(new Error("no source")),
      () => undefined,
    );
    await expect(mapItems(broken, String).next()).rejects.toThrow("no source");
  });
});
