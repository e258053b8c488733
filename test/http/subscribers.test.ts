import { describe, expect, it } from "vitest";
import { createSubscribers } from "../../src/http/subscribers.ts";

async function* twoItems() {
  yield await Promise.resolve(1);
  yield 2;
}

describe("a reader is counted until it leaves, and taken off once", () => {
  it("by the end of its results", async () => {
    const { counted, running } = createSubscribers();
    const results = counted(twoItems());
    expect(running()).toBe(1);
    expect([await results.next(), await results.next()].map(({ value }) => value)).toEqual([1, 2]);
    expect(running()).toBe(1);
    expect((await results.next()).done).toBe(true);
    await results.return?.();
    expect(running()).toBe(0);
  });

  it("by leaving, however often, also before it was asked anything", async () => {
    const { counted, running } = createSubscribers();
    const [first, second] = [counted(twoItems()), counted(twoItems())];
    for (let times = 0; times < 3; times += 1) await first.return?.();
    expect(running()).toBe(1);
    for await (const _ of second) break;
    expect(running()).toBe(0);
  });
});
