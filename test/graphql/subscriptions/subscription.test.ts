import { describe, expect, it } from "vitest";
import type { Context } from "../../../src/resolvers/context.ts";
import { CodedError } from "../../../src/errors.ts";
import { notTraced } from "../../../src/graphql/subscriptions/delivery.ts";
import { mapEvents } from "../../../src/graphql/subscriptions/eventExecution.ts";
import { callEnded, tempLog } from "../../events/callEnded.ts";
import { task, world } from "../../resolvers/world.ts";
import { codes, pipeline } from "../pipeline.ts";

const LIVE = "subscription($after: String) { callEnded(after: $after) { sessionId task { name } } }";

describe("the execution of each event", () => {
  it("has its own loaders", async () => {
    const events = await tempLog();
    let version = 0;
    const loaders = (): Context["loaders"] => {
      version += 1;
      return world({ tasks: { 7: task({ name: `version ${version}` }) } }).context.loaders;
    };
    const { subscribe, contexts } = pipeline({ own: { events }, loaders });
    const results = await subscribe(LIVE);
    for (const sessionId of ["a", "b"]) await events.append(callEnded({ sessionId }), "WEBHOOK");
    const received = [await results.next(), await results.next()].map(({ value }) => value?.data?.["callEnded"]);
    await results.return?.();
    expect(received).toEqual([
      { sessionId: "a", task: { name: "version 2" } },
      { sessionId: "b", task: { name: "version 3" } },
    ]);
    expect(contexts).toHaveLength(3);
  });

  it("reports the errors of its fields, and the next event follows", async () => {
    const events = await tempLog();
    const { subscribe } = pipeline({ own: { events }, tasks: { 8: new Error("down"), 7: task() } });
    const results = await subscribe(LIVE);
    await events.append(callEnded({ sessionId: "a", taskId: "8" }), "WEBHOOK");
    await events.append(callEnded({ sessionId: "b" }), "WEBHOOK");
    const [first, second] = [(await results.next()).value, (await results.next()).value];
    await results.return?.();
    expect(first).toMatchObject({ data: { callEnded: { sessionId: "a", task: null } } });
    expect(codes(first?.errors)).toEqual(["INTERNAL"]);
    expect(second).toEqual({ data: { callEnded: { sessionId: "b", task: { name: "Reminder" } } } });
  });
});

describe("a subscription that cannot start", () => {
  it("is answered with one result and its code", async () => {
    const events = await tempLog();
    const { prepared } = pipeline({ own: { events } });
    const result = await prepared(LIVE, { after: "forged" }).run(null);
    if (Symbol.asyncIterator in result) throw new Error("it began");
    expect(codes(result.errors)).toEqual(["CURSOR_INVALID"]);
    expect(result.errors?.[0]?.path).toEqual(["callEnded"]);
  });
});

describe("a subscription whose source fails", () => {
  it("ends with one last result and its code", async () => {
    const broken = new CodedError("STORE_UNAVAILABLE", "Not now.");
    async function* source() {
      const entry = { cursor: "c", revision: 1, source: "WEBHOOK", receivedAt: "x" };
      yield await Promise.resolve({ kind: "event", event: { ...callEnded({ sessionId: "a" }), ...entry } });
      throw broken;
    }
    const own = { events: { follow: async () => source() } } as unknown as Partial<Context>;
    const results = await pipeline({ own, tasks: { 7: task() } }).subscribe(LIVE);
    expect(await results.next()).toMatchObject({ value: { data: { callEnded: { sessionId: "a" } } } });
    const last = await results.next();
    expect(last.done).toBe(false);
    expect(codes(last.value?.errors)).toEqual(["STORE_UNAVAILABLE"]);
    expect(last.value?.errors?.[0]?.extensions).toHaveProperty("requestId");
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });
});

/** A source that waits forever and counts the calls of return(). */
function endless(first: readonly unknown[] = []) {
  const rest = [...first];
  const left = Promise.withResolvers<IteratorResult<unknown>>();
  const state = { left: 0 };
  const source: AsyncIterableIterator<unknown> = {
    next: async () => (rest.length > 0 ? { done: false, value: rest.shift() } : left.promise),
    async return() {
      state.left += 1;
      left.resolve({ done: true, value: undefined });
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => source,
  };
  return { source, state };
}

const toResult = async (event: unknown) => ({ data: { event } });
const toFailure = (error: unknown) => ({ data: { failed: (error as Error).message } });
const onReturn = () => undefined;
const startDelivery = () => notTraced;

describe("return() of a subscription", () => {
  it("ends it at once while it waits for an event", async () => {
    const { source, state } = endless();
    const results = mapEvents(source, { toResult, toFailure, startDelivery, onReturn });
    const asked = results.next();
    expect(await results.return?.()).toEqual({ done: true, value: undefined });
    expect(await asked).toEqual({ done: true, value: undefined });
    expect(await results.next()).toEqual({ done: true, value: undefined });
    expect(state.left).toBe(1);
  });

  it("ends it although its source goes on", async () => {
    const source = {
      next: async () => ({ done: false, value: 1 }) as const,
      [Symbol.asyncIterator]() {
        return this;
      },
    };
    const results = mapEvents(source, { toResult, toFailure, startDelivery, onReturn });
    expect(await results.next()).toEqual({ done: false, value: { data: { event: 1 } } });
    await results.return?.();
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });

  it("ends it before the first next(), and when a loop breaks", async () => {
    const { source, state } = endless([1]);
    await mapEvents(endless().source, { toResult, toFailure, startDelivery, onReturn }).return?.();
    for await (const result of mapEvents(source, { toResult, toFailure, startDelivery, onReturn })) {
      expect(result).toEqual({ data: { event: 1 } });
      break;
    }
    expect(state.left).toBe(1);
  });

  it("aborts the requests of its event", async () => {
    const events = await tempLog();
    const asking = Promise.withResolvers<AbortSignal>();
    const loaders = (signal: AbortSignal): Context["loaders"] => {
      const loaders = world().context.loaders;
      const never = () => {
        asking.resolve(signal);
        return new Promise<never>((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason as Error)),
        );
      };
      return { ...loaders, task: { ...loaders.task, load: never } };
    };
    const results = await pipeline({ own: { events }, loaders }).subscribe(LIVE);
    const asked = results.next();
    await events.append(callEnded({ sessionId: "a" }), "WEBHOOK");
    const signal = await asking.promise;
    expect(signal.aborted).toBe(false);
    await results.return?.();
    expect(signal.aborted).toBe(true);
    expect(await asked).toEqual({ done: true, value: undefined });
  });

  it("ends it through the pipeline over the real log", async () => {
    const events = await tempLog();
    const results = await pipeline({ own: { events } }).subscribe(LIVE);
    const asked = results.next();
    await results.return?.();
    expect(await asked).toEqual({ done: true, value: undefined });
  });

  it("ends it if the source has no return()", async () => {
    const source = { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: 1 }) as const }) };
    const results = mapEvents(source, { toResult, toFailure, startDelivery, onReturn });
    await results.return?.();
    const others = mapEvents(source, { toResult, toFailure, startDelivery, onReturn });
    expect(await others.next()).toEqual({ done: true, value: undefined });
  });
});

describe("an event that cannot be executed", () => {
  it("ends the subscription with a last result, and closes the source", async () => {
    const { source, state } = endless([1, 2]);
    const results = mapEvents(source, {
      toResult: () => Promise.reject(new Error("no")),
      toFailure,
      startDelivery,
      onReturn,
    });
    expect(await results.next()).toEqual({ done: false, value: { data: { failed: "no" } } });
    expect(state.left).toBe(1);
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });
});
