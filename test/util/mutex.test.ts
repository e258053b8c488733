import { describe, expect, it } from "vitest";
import { createMutex } from "../../src/util/mutex.ts";

describe("turns at what only one may have", () => {
  it("are given one by one, in the order they were asked for", async () => {
    const turns = createMutex();
    const order: number[] = [];
    let inside = 0;
    const work = async (at: number) => {
      await turns.acquire();
      inside += 1;
      expect(inside).toBe(1);
      order.push(at);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      turns.release();
    };
    await Promise.all(Array.from({ length: 100 }, (_, at) => work(at)));
    expect(order).toEqual(Array.from({ length: 100 }, (_, at) => at));
    await work(100);
  });

  it("wake nobody else: a hundred thousand who wait are no more work than each of them", async () => {
    const turns = createMutex();
    let given = 0;
    // Where all who wait were woken for each turn, this would not end within the time of a test.
    await Promise.all(
      Array.from({ length: 100_000 }, async () => {
        await turns.acquire();
        given += 1;
        turns.release();
      }),
    );
    expect(given).toBe(100_000);
  });
});
