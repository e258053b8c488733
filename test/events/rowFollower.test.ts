import { expect, it, onTestFinished } from "vitest";
import { createRowFollower, type RowBatch } from "../../src/events/batchedRead.ts";
import { createSignal } from "../../src/util/signal.ts";
import { silentLog } from "../support/silentLog.ts";

/** Rows are numbers, and their own positions. */
function followed() {
  const rows: number[] = [];
  const asked: number[] = [];
  const changes = createSignal();
  const own = { fails: 0, lostThrough: 0, isAway: false };
  const follower = createRowFollower<number | null>({
    async readHead() {
      if (own.isAway) throw new Error("The store is away.");
      return rows.at(-1) ?? 0;
    },
    async readAfter(position): Promise<RowBatch<number | null>> {
      asked.push(position);
      if (own.fails-- > 0) throw new Error("The store is away.");
      if (own.lostThrough > position) return { rows: [null], through: null };
      const found = rows.filter((row) => row > position).slice(0, 2);
      return { rows: found, through: found.at(-1) ?? position };
    },
    changes,
    maxWaitMs: 3_600_000,
    log: silentLog,
    failure: "rows cannot be read",
  });
  function follow(after = rows.at(-1) ?? 0) {
    const items = follower.follow(after);
    onTestFinished(async () => void (await items.return?.()));
    return items;
  }
  const add = (...more: number[]) => {
    rows.push(...more);
    changes.notify();
  };
  return { follower, follow, add, asked, own, changes };
}

const take = async (items: AsyncIterableIterator<number | null>, count: number) => {
  const found: (number | null | undefined)[] = [];
  while (found.length < count) found.push((await items.next()).value as number | null);
  return found;
};

it("A follower of rows begins at the head, and gets each row once and in order", async () => {
  const { follower, follow, add } = followed();
  add(1, 2);
  const items = follow(await follower.head());
  add(3, 4, 5);
  expect(await take(items, 3)).toEqual([3, 4, 5]);
  const next = items.next();
  add(6);
  expect((await next).value).toBe(6);
});

it("Followers of rows that wake together share one read of each position", async () => {
  const { follower, follow, add, asked } = followed();
  add(1);
  const begin = await follower.head();
  const all = Array.from({ length: 100 }, () => follow(begin));
  const waiting = all.map((items) => items.next());
  add(2);
  expect((await Promise.all(waiting)).map(({ value }) => value)).toEqual(Array(100).fill(2));
  expect(asked.length).toBeLessThan(10);
});

it("A follower of rows goes on after a failed read, and has no head while the store is away", async () => {
  const { follower, follow, add, own, asked, changes } = followed();
  own.fails = 1;
  const items = follow(0);
  const next = items.next();
  add(1);
  const again = setInterval(changes.notify, 1);
  onTestFinished(() => clearInterval(again));
  expect((await next).value).toBe(1);
  expect(asked.filter((position) => position === 0).length).toBeGreaterThan(1);
  own.isAway = true;
  await expect(follower.head()).rejects.toThrow("away");
});

it("A follower of rows ends after a batch that has no position, and by its return, also while it waits", async () => {
  const { follow, add, own } = followed();
  add(1);
  const items = follow(0);
  expect(await take(items, 1)).toEqual([1]);
  own.lostThrough = 3;
  add(4);
  expect(await take(items, 1)).toEqual([null]);
  expect((await items.next()).done).toBe(true);
  const waiting = follow();
  const next = waiting.next();
  await waiting.return?.();
  expect((await next).done).toBe(true);
});
