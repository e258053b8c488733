import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFairQueue, createPacedDelivery, type FairQueue } from "../../../src/store/scheduling/fairQueue.ts";
import { createQueryOwner } from "../../../src/store/scheduling/queryOwner.ts";

const RATE_LIMITED = { code: "RATE_LIMITED", retryAfter: 1 };

/** Work that is done when it is told to be; what has begun, in order. */
function bench(queue: FairQueue) {
  const begun: string[] = [];
  const left: string[] = [];
  const finish = new Map<string, () => void>();
  const ask = (name: string, what: string, leaving = new AbortController()) =>
    queue.run(createQueryOwner(name, leaving.signal), what, (signal) => {
      begun.push(what);
      signal.addEventListener("abort", () => left.push(what));
      return new Promise<string>((resolve) => finish.set(what, () => resolve(what)));
    });
  async function finishAll(): Promise<void> {
    for (let at = 0; at < begun.length; at += 1) {
      finish.get(begun[at] as string)?.();
      await nextTurn();
    }
  }
  return { begun, left, ask, finish: (what: string) => finish.get(what)?.(), finishAll };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const ignored = (promise: Promise<unknown>) => void promise.catch(() => undefined);

describe("a fair queue", () => {
  it("does the work of readers in turn, whoever asks for how much, and never more at once than its width", async () => {
    const names = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), names, async (width, asked) => {
        const { begun, ask, finishAll } = bench(createFairQueue({ concurrency: width, maxWaiting: 100 }));
        const answers = asked.map((name, at) => ask(name, `${name}${at}`));
        expect(begun.length).toBe(Math.min(width, asked.length));
        await finishAll();
        expect(await Promise.all(answers)).toEqual(asked.map((name, at) => `${name}${at}`));
        // What waits behind the first ones: between two works of a name comes one of every other that still waits.
        const order = begun.slice(width).map((what) => what[0] as string);
        for (const name of new Set(order)) {
          const places = order.flatMap((each, at) => (each === name ? [at] : []));
          const gaps = places.slice(1).map((place, at) => order.slice((places[at] ?? 0) + 1, place));
          for (const gap of gaps) expect(new Set(gap).size).toBe(gap.length);
        }
      }),
    );
  });

  it("lets a reader's work wait for one of another's thousand", async () => {
    const { begun, ask, finish } = bench(createFairQueue({ concurrency: 1, maxWaiting: 2000 }));
    for (let at = 0; at < 1000; at += 1) ignored(ask("many", `many ${at}`));
    const one = ask("one", "one");
    finish("many 0");
    await nextTurn();
    finish("many 1");
    await nextTurn();
    expect(begun).toEqual(["many 0", "many 1", "one"]);
    finish("one");
    expect(await one).toBe("one");
  });

  it("refuses what is beyond its bound, of that reader alone", async () => {
    const { ask, finishAll } = bench(createFairQueue({ concurrency: 1, maxWaiting: 3 }));
    const answers = [0, 1, 2, 3].map((at) => ask("many", `many ${at}`));
    await expect(ask("many", "too much")).rejects.toMatchObject(RATE_LIMITED);
    const other = ask("other", "other");
    await finishAll();
    expect(await Promise.all([...answers, other])).toHaveLength(5);
  });

  it("does equal work that waits once, for everyone who asked, in the first one's turn", async () => {
    const { begun, ask, finishAll } = bench(createFairQueue({ concurrency: 1, maxWaiting: 100 }));
    const answers = [ask("a", "first"), ask("a", "a1"), ask("a", "same"), ask("b", "same"), ask("b", "same")];
    await finishAll();
    expect(await Promise.all(answers)).toEqual(["first", "a1", "same", "same", "same"]);
    expect(begun).toEqual(["first", "a1", "same"]);
  });

  it("does work again that has begun when it is asked for: the answer would be older than the question", async () => {
    const { begun, ask, finishAll } = bench(createFairQueue({ concurrency: 1, maxWaiting: 100 }));
    const answers = [ask("a", "same"), ask("b", "same")];
    await finishAll();
    await Promise.all(answers);
    expect(begun).toEqual(["same", "same"]);
  });

  it("drops what waits for nobody, and tells what runs for nobody", async () => {
    const { begun, left, ask, finishAll } = bench(createFairQueue({ concurrency: 1, maxWaiting: 100 }));
    const leaving = new AbortController();
    const gone = [ask("a", "running", leaving), ask("a", "waiting", leaving)];
    const shared = ask("a", "shared", leaving);
    const stays = ask("b", "shared");
    leaving.abort();
    for (const each of [...gone, shared]) await expect(each).rejects.toThrow("aborted");
    expect(left).toEqual(["running"]);
    await finishAll();
    expect(await stays).toBe("shared");
    expect(begun).toEqual(["running", "shared"]);
  });

  it("goes on after work that fails", async () => {
    const queue = createFairQueue({ concurrency: 1, maxWaiting: 10 });
    const reader = createQueryOwner("a");
    const failing = queue.run(reader, "failing", () => Promise.reject(new Error("failed")));
    const next = queue.run(reader, "next", async () => "done");
    await expect(failing).rejects.toThrow("failed");
    expect(await next).toBe("done");
  });

  it("begins nothing for one who has left already", async () => {
    const { begun, ask } = bench(createFairQueue({ concurrency: 1, maxWaiting: 10 }));
    const leaving = new AbortController();
    leaving.abort();
    await expect(ask("a", "never", leaving)).rejects.toThrow("aborted");
    expect(begun).toEqual([]);
  });
});

/** How often the event loop has turned since then. */
function countTurns(): () => number {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    setImmediate(count).unref();
  };
  setImmediate(count).unref();
  return () => turns;
}

describe("the hand-out of answers", () => {
  it("gives one answer in a turn of the event loop to readers who were answered at the same time", async () => {
    const handOut = createPacedDelivery();
    const turns = countTurns();
    const given = await Promise.all(
      Array.from({ length: 50 }, () => handOut(createQueryOwner("many"), Promise.resolve("rows")).then(turns)),
    );
    expect(new Set(given).size).toBe(50);
  });

  it("gives another reader's answer before the rest of a thousand", async () => {
    const handOut = createPacedDelivery();
    const order: string[] = [];
    const ask = (name: string) => handOut(createQueryOwner(name), Promise.resolve(name)).then((who) => order.push(who));
    await Promise.all([...Array.from({ length: 1000 }, () => ask("many")), ask("one")]);
    expect(order.indexOf("one")).toBeLessThan(5);
  });

  it("rejects as soon as the reader leaves", async () => {
    const handOut = createPacedDelivery();
    const leaving = new AbortController();
    const answer = handOut(createQueryOwner("many", leaving.signal), Promise.resolve("rows"));
    leaving.abort(new Error("left"));
    await expect(answer).rejects.toThrow("left");
  });
});
