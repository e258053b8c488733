import { describe, expect, it } from "vitest";
import { createGroupCommit } from "../../src/util/groupCommit.ts";

const REFUSED = new Error("refused");
const isRefusal = (error: unknown) => error === REFUSED;

/** A commit that waits until it is let go, or made to fail. */
function gate() {
  const groups: { items: readonly number[]; done: PromiseWithResolvers<readonly string[]> }[] = [];
  let arrived: PromiseWithResolvers<void> = Promise.withResolvers();
  return {
    groups,
    commit(items: readonly number[]) {
      const done = Promise.withResolvers<readonly string[]>();
      groups.push({ items, done });
      arrived.resolve();
      return done.promise;
    },
    async next() {
      const at = groups.length;
      arrived = Promise.withResolvers();
      if (at === groups.length) await arrived.promise;
    },
    pass: (at: number) => groups[at]?.done.resolve(groups[at].items.map((item) => `kept ${item}`)),
  };
}

describe("createGroupCommit", () => {
  it("gives each item its own result after their commit", async () => {
    const { commit, groups, next, pass } = gate();
    const add = createGroupCommit({
      commit,
      isRefusal,
      maxBatch: 100,
      maxQueued: 100,
      sizeOf: () => 1,
      maxQueuedSize: Infinity,
    });
    const first = [add(1), add(2), add(3)];
    await next();
    const second = [add(4), add(5)];
    expect(groups.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    const other = next();
    pass(0);
    expect(await Promise.all(first)).toEqual(["kept 1", "kept 2", "kept 3"]);
    await other;
    expect(groups.map(({ items }) => items)).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    pass(1);
    expect(await Promise.all(second)).toEqual(["kept 4", "kept 5"]);
  });

  it("puts at most `maxBatch` items into a commit, in their order", async () => {
    const groups: number[] = [];
    const add = createGroupCommit({
      isRefusal,
      commit: async (items: readonly number[]) => {
        groups.push(items.length);
        return items;
      },
      maxBatch: 10,
      maxQueued: 100,
      sizeOf: () => 1,
      maxQueuedSize: Infinity,
    });
    const items = Array.from({ length: 35 }, (_, at) => at);
    expect(await Promise.all(items.map(add))).toEqual(items);
    expect(groups).toEqual([10, 10, 10, 5]);
  });

  it("starts the next commit after a pause", async () => {
    const add = createGroupCommit({
      isRefusal,
      commit: async (items: readonly number[]) => items,
      maxBatch: 10,
      maxQueued: 10,
      sizeOf: () => 1,
      maxQueuedSize: Infinity,
    });
    for (let at = 0; at < 5; at += 1) expect(await add(at)).toBe(at);
  });
});

describe("a commit that fails", () => {
  it("fails only its own group", async () => {
    const { commit, groups, next, pass } = gate();
    const add = createGroupCommit({
      commit,
      isRefusal,
      maxBatch: 2,
      maxQueued: 100,
      sizeOf: () => 1,
      maxQueuedSize: Infinity,
    });
    const answers = Promise.allSettled([add(1), add(2), add(3), add(4)]);
    await next();
    const second = next();
    groups[0]?.done.reject(new Error("disk"));
    await second;
    pass(1);
    expect((await answers).map((answer) => (answer.status === "fulfilled" ? answer.value : "failed"))).toEqual([
      "failed",
      "failed",
      "kept 3",
      "kept 4",
    ]);
    const third = next();
    const later = add(5);
    await third;
    pass(2);
    expect(await later).toBe("kept 5");
  });

  it("fails its group if it throws synchronously", async () => {
    let failing = true;
    const add = createGroupCommit({
      isRefusal,
      commit: (items: readonly number[]) => {
        if (failing) throw new Error("disk");
        return Promise.resolve(items);
      },
      maxBatch: 2,
      maxQueued: 2,
      sizeOf: () => 1,
      maxQueuedSize: Infinity,
    });
    await expect(add(1)).rejects.toThrow("disk");
    failing = false;
    expect(await add(2)).toBe(2);
  });
});

describe("A full queue of a group commit", () => {
  it("takes an item above the size limit only while none waits", async () => {
    const { commit, next, pass } = gate();
    const add = createGroupCommit({
      commit,
      isRefusal,
      maxBatch: 2,
      maxQueued: 3,
      sizeOf: (item) => item,
      maxQueuedSize: 10,
    });
    const large = add(20);
    await expect(add(1)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await next();
    pass(0);
    expect(await large).toBe("kept 20");
  });

  it("refuses an item, which may be tried again", async () => {
    const { commit, next, pass, groups } = gate();
    const add = createGroupCommit({
      commit,
      isRefusal,
      maxBatch: 2,
      maxQueued: 3,
      sizeOf: () => 1,
      maxQueuedSize: Infinity,
    });
    const running = [add(1), add(2)];
    await next();
    const waiting = [add(3), add(4), add(5)];
    await expect(add(6)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true, retryAfter: 1 });
    const second = next();
    pass(0);
    await Promise.all(running);
    await second;
    const third = next();
    pass(1);
    await third;
    waiting.push(add(6));
    const fourth = next();
    pass(2);
    await fourth;
    pass(3);
    expect(await Promise.all(waiting)).toEqual(["kept 3", "kept 4", "kept 5", "kept 6"]);
    expect(groups.flatMap(({ items }) => items)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe("a commit that is refused because of an item", () => {
  const limits = { maxBatch: 500, maxQueued: 500, sizeOf: () => 1, maxQueuedSize: Infinity };

  it("fails that item alone, and keeps the others in their order", async () => {
    const kept: number[] = [];
    let commits = 0;
    const commit = async (items: readonly number[]) => {
      commits += 1;
      if (items.includes(123)) throw REFUSED;
      kept.push(...items);
      return items;
    };
    const add = createGroupCommit({ ...limits, commit, isRefusal });
    const items = Array.from({ length: 400 }, (_, at) => at);
    const answers = await Promise.allSettled(items.map(add));
    expect(kept).toEqual(items.filter((item) => item !== 123));
    expect(answers.filter(({ status }) => status === "rejected")).toEqual([{ status: "rejected", reason: REFUSED }]);
    expect(answers[123]?.status).toBe("rejected");
    expect(commits).toBeLessThanOrEqual(20);
  });

  it("is not tried in further parts once the database is away", async () => {
    const away = new Error("away");
    const groups: number[][] = [];
    const commit = async (items: readonly number[]): Promise<readonly number[]> => {
      groups.push([...items]);
      throw groups.length === 1 ? REFUSED : away;
    };
    const add = createGroupCommit({ ...limits, commit, isRefusal });
    const answers = await Promise.allSettled([1, 2, 3, 4].map(add));
    expect(groups).toEqual([
      [1, 2, 3, 4],
      [1, 2],
    ]);
    expect(answers.map((answer) => answer.status === "rejected" && (answer.reason as unknown))).toEqual([
      away,
      away,
      away,
      away,
    ]);
  });
});
