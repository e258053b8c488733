import { describe, expect, it, onTestFinished } from "vitest";
import { createSharedPoller, type SharedPollerOptions, type SharedPoller } from "../../src/tasks/sharedPoller.ts";
import { until } from "../support/until.ts";

interface Thing {
  watch: SharedPoller<string, object>;
  /** What a look finds; an Error is thrown. */
  value: string | Error;
  looks: number;
  listening: number;
  call(isNews: boolean): void;
}

function thing(own: Partial<SharedPollerOptions<string, object>> = {}): Thing {
  let called: (why: { isNews: boolean }) => void = () => undefined;
  const one: Thing = {
    value: "a",
    looks: 0,
    listening: 0,
    call: (isNews) => called({ isNews }),
    watch: createSharedPoller<string, object>({
      async poll() {
        one.looks += 1;
        if (one.value instanceof Error) throw one.value;
        return one.value;
      },
      serialize: (value) => value,
      isFinal: (value) => value === "last",
      onOpen(_, look) {
        one.listening += 1;
        called = look;
        return {
          async [Symbol.asyncDispose]() {
            one.listening -= 1;
          },
        };
      },
      intervalMs: 1_000_000,
      minIntervalMs: 0,
      ...own,
    }),
  };
  return one;
}

function watcherOf(one: Thing, key = "k") {
  const items = one.watch(key, {});
  onTestFinished(async () => void (await items.return?.()));
  return { items, next: async () => ((await items.next()) as IteratorResult<string | Error, undefined>).value };
}

describe("Watchers of a shared poller", () => {
  it("get the current value first, and then each change", async () => {
    const one = thing();
    const watchers = Array.from({ length: 50 }, () => watcherOf(one));
    expect(new Set(await Promise.all(watchers.map(({ next }) => next())))).toEqual(new Set(["a"]));
    one.value = "b";
    one.call(false);
    expect(new Set(await Promise.all(watchers.map(({ next }) => next())))).toEqual(new Set(["b"]));
    expect([one.looks, one.listening]).toEqual([2, 1]);
    expect(await watcherOf(one).next()).toBe("b");
    expect(one.looks).toBe(2);
  });

  it("do not get an unchanged value, except after an event", async () => {
    const one = thing();
    const { next } = watcherOf(one);
    expect(await next()).toBe("a");
    const received: unknown[] = [];
    const waiting = next().then((value) => received.push(value));
    one.call(false);
    await until(() => one.looks === 2);
    expect(received).toEqual([]);
    one.call(true);
    await waiting;
    expect(received).toEqual(["a"]);
  });

  it("may miss older values if they are slow, and never the newest", async () => {
    const one = thing();
    const { next } = watcherOf(one);
    await next();
    for (const value of ["b", "c", "d"]) {
      const { looks } = one;
      one.value = value;
      one.call(false);
      await until(() => one.looks > looks);
    }
    expect(await next()).toBe("d");
  });

  it("get the error of a failed poll once, and the next value", async () => {
    const one = thing({ intervalMs: 5 });
    one.value = new Error("gone");
    const { next } = watcherOf(one);
    expect(await next()).toEqual(new Error("gone"));
    await until(() => one.looks > 3);
    one.value = "a";
    expect(await next()).toBe("a");
  });
});

describe("The polls of a shared poller", () => {
  it("keep their interval for any number of requests, and miss none", async () => {
    const one = thing({ minIntervalMs: 200 });
    const { next } = watcherOf(one);
    const begun = performance.now();
    await next();
    for (let at = 0; at < 20; at += 1) {
      one.value = `${at}`;
      one.call(true);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await next()).toBe("19");
    expect(performance.now() - begun).toBeGreaterThan(195);
    expect(one.looks).toBe(2);
  });

  it("do not come earlier for a new watcher, who gets the recent result", async () => {
    const one = thing({ minIntervalMs: 200 });
    const begun = performance.now();
    for (let at = 0; at < 20; at += 1) {
      const { items, next } = watcherOf(one);
      expect(await next()).toBe("a");
      await items.return?.();
    }
    expect(one.looks).toBe(1);
    one.value = "b";
    const { next } = watcherOf(one);
    expect([await next(), await next()]).toEqual(["a", "b"]);
    expect(performance.now() - begun).toBeGreaterThan(195);
    expect(one.looks).toBe(2);
  });
});

describe("A shared poller without watchers", () => {
  it("aborts its poll, and starts another one for a new watcher", async () => {
    const ended: unknown[] = [];
    const one = thing({
      minIntervalMs: 1_000_000,
      poll(_, { signal }) {
        one.looks += 1;
        if (one.looks > 1) return Promise.resolve("a");
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            ended.push(signal.reason);
            reject(new Error("ended"));
          });
        });
      },
    });
    const { items } = watcherOf(one);
    const waiting = items.next();
    await until(() => one.looks === 1);
    await items.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(ended).toHaveLength(1);
    expect(await watcherOf(one).next()).toBe("a");
  });

  it("ends the watch after a final value", async () => {
    const one = thing();
    one.value = "last";
    const { items, next } = watcherOf(one);
    expect(await next()).toBe("last");
    expect(await items.next()).toEqual({ done: true, value: undefined });
    await until(() => one.listening === 0);
  });

  it("stops polling at once when the last watcher leaves", async () => {
    const one = thing({ intervalMs: 5 });
    const [first, second] = [watcherOf(one), watcherOf(one)];
    await Promise.all([first.next(), second.next()]);
    const waiting = first.items.next();
    await first.items.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(one.listening).toBe(1);
    await second.items.return?.();
    await until(() => one.listening === 0);
    const { looks } = one;
    expect(await watcherOf(one).next()).toBe("a");
    expect(one.looks).toBe(looks + 1);
  });
});
