import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFairQueue, type FairQueue } from "../../../src/store/scheduling/fairQueue.ts";
import { createQueryOwner } from "../../../src/store/scheduling/queryOwner.ts";

const RATE_LIMITED = { code: "RATE_LIMITED", retryAfter: 1 };

/** A queue whose work ends by `finish`; `begun` lists the started work in order. */
function manualQueue(queue: FairQueue) {
  const begun: string[] = [];
  const cancelled: string[] = [];
  const finish = new Map<string, () => void>();
  const ask = (name: string, what: string, client = new AbortController()) =>
    queue.run(createQueryOwner(name, client.signal), what, (signal) => {
      begun.push(what);
      signal.addEventListener("abort", () => cancelled.push(what));
      return new Promise<string>((resolve) => finish.set(what, () => resolve(what)));
    });
  async function finishAll(): Promise<void> {
    for (let at = 0; at < begun.length; at += 1) {
      finish.get(begun[at] as string)?.();
      await nextTurn();
    }
  }
  return { begun, cancelled, ask, finish: (what: string) => finish.get(what)?.(), finishAll };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const ignored = (promise: Promise<unknown>) => void promise.catch(() => undefined);

describe("The fair queue", () => {
  it("runs the work of readers in turn, and at most its concurrency at once", async () => {
    const names = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), names, async (width, asked) => {
        const { begun, ask, finishAll } = manualQueue(createFairQueue({ concurrency: width, maxWaiting: 100 }));
        const answers = asked.map((name, at) => ask(name, `${name}${at}`));
        expect(begun.length).toBe(Math.min(width, asked.length));
        await finishAll();
        expect(await Promise.all(answers)).toEqual(asked.map((name, at) => `${name}${at}`));
        // Between two pieces of work of one reader comes at most one of each other reader.
        const order = begun.slice(width).map((what) => what[0] as string);
        for (const name of new Set(order)) {
          const indexes = order.flatMap((each, at) => (each === name ? [at] : []));
          const gaps = indexes.slice(1).map((index, at) => order.slice((indexes[at] ?? 0) + 1, index));
          for (const gap of gaps) expect(new Set(gap).size).toBe(gap.length);
        }
      }),
    );
  });

  it("runs another reader's work after one more of a thousand", async () => {
    const { begun, ask, finish } = manualQueue(createFairQueue({ concurrency: 1, maxWaiting: 2000 }));
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

  it("refuses work over the limit of one reader, and not of another", async () => {
    const { ask, finishAll } = manualQueue(createFairQueue({ concurrency: 1, maxWaiting: 3 }));
    const answers = [0, 1, 2, 3].map((at) => ask("many", `many ${at}`));
    await expect(ask("many", "too much")).rejects.toMatchObject(RATE_LIMITED);
    const other = ask("other", "other");
    await finishAll();
    expect(await Promise.all([...answers, other])).toHaveLength(5);
  });

  it("runs equal waiting work once for all who asked", async () => {
    const { begun, ask, finishAll } = manualQueue(createFairQueue({ concurrency: 1, maxWaiting: 100 }));
    const answers = [ask("a", "first"), ask("a", "a1"), ask("a", "same"), ask("b", "same"), ask("b", "same")];
    await finishAll();
    expect(await Promise.all(answers)).toEqual(["first", "a1", "same", "same", "same"]);
    expect(begun).toEqual(["first", "a1", "same"]);
  });

  it("does not share work that has begun, because its answer would be too old", async () => {
    const { begun, ask, finishAll } = manualQueue(createFairQueue({ concurrency: 1, maxWaiting: 100 }));
    const answers = [ask("a", "same"), ask("b", "same")];
    await finishAll();
    await Promise.all(answers);
    expect(begun).toEqual(["same", "same"]);
  });

  it("drops waiting work and aborts running work when nobody needs it", async () => {
    const { begun, cancelled, ask, finishAll } = manualQueue(createFairQueue({ concurrency: 1, maxWaiting: 100 }));
    const client = new AbortController();
    const gone = [ask("a", "running", client), ask("a", "waiting", client)];
    const shared = ask("a", "shared", client);
    const stays = ask("b", "shared");
    client.abort();
    for (const each of [...gone, shared]) await expect(each).rejects.toThrow("aborted");
    expect(cancelled).toEqual(["running"]);
    await finishAll();
    expect(await stays).toBe("shared");
    expect(begun).toEqual(["running", "shared"]);
  });

  it("continues after work that fails", async () => {
    const queue = createFairQueue({ concurrency: 1, maxWaiting: 10 });
    const reader = createQueryOwner("a");
    const failing = queue.run(reader, "failing", () => Promise.reject(new Error("failed")));
    const next = queue.run(reader, "next", async () => "done");
    await expect(failing).rejects.toThrow("failed");
    expect(await next).toBe("done");
  });

  it("starts no work of a reader who has left", async () => {
    const { begun, ask } = manualQueue(createFairQueue({ concurrency: 1, maxWaiting: 10 }));
    const client = new AbortController();
    client.abort();
    await expect(ask("a", "never", client)).rejects.toThrow("aborted");
    expect(begun).toEqual([]);
  });
});
