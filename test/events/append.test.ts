import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventStore } from "../../src/store/events/eventStore.ts";
import { databases } from "../store/databases.ts";
import { open, tempStore } from "../store/tempStore.ts";
import {
  NOW,
  appendAll,
  callEnded,
  follow,
  headOf,
  logOver,
  names,
  openLog,
  sessions,
  take,
  tempLog,
} from "./callEnded.ts";

const instant = new Date(NOW).toISOString();
const ALL = { first: 500, after: null, filter: {}, revisions: false, order: "oldestFirst" } as const;

describe.each(databases)("An appended event on %s", (_, { create }) => {
  it("is on disk when append() resolves", async () => {
    const { url } = await create();
    const store = await open(url);
    const log = await openLog(store.events);
    expect(await appendAll(log, names(0, 300))).toEqual(names(0, 300).map(() => "appended"));
    await log[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
    const page = await (await tempLog({}, url)).page(ALL);
    expect(sessions(page.events)).toEqual(names(0, 300));
  });

  it("is read back with its position, its source and the time it was received", async () => {
    const log = await tempLog({}, (await create()).url);
    const call = callEnded({
      sessionId: "a",
      taskId: "9007199254740993123",
      extra: JSON.parse('{"__proto__":{"a":1},"constructor":"x","姓名":"张\\u0000"}') as Record<string, unknown>,
      unread: [{ field: "startAt", text: "noon" }],
    });
    await log.append(call, "RECONCILED");
    const event = await log.bySession("a");
    const metadata = { revision: 1, source: "RECONCILED", receivedAt: instant };
    expect(Object.fromEntries(Object.entries(event ?? {}))).toEqual({ ...call, ...metadata });
    expect(event?.cursor).toEqual(expect.any(String));
    expect(JSON.stringify(event?.extra)).toBe(JSON.stringify(call.extra));
    expect(await log.bySession("b")).toBeNull();
    expect(await log.bySession("a\0")).toBeNull();
  });
});

/** A store whose commits wait until they are let go. */
function held(events: EventStore) {
  const release = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const append: EventStore["append"] = async (deliveries, revise) => {
    asked.resolve();
    await release.promise;
    return events.append(deliveries, revise);
  };
  return { store: { ...events, append }, release: release.resolve, asked: asked.promise };
}

describe("append()", () => {
  it("notifies followers only after the commit", async () => {
    const { events } = await tempStore();
    const { store, release, asked } = held(events);
    const log = await logOver(store);
    const reader = await follow(log);
    const received = take(reader, 3);
    const settled: string[] = [];
    void received.then(() => settled.push("received"));
    const answers = names(0, 3).map(async (sessionId) => {
      settled.push(await log.append(callEnded({ sessionId }), "WEBHOOK"));
    });
    await asked;
    await log.refresh();
    await new Promise((resolve) => setImmediate(resolve));
    expect([settled, await events.head()]).toEqual([[], 0]);
    release();
    await Promise.all(answers);
    expect(await events.head()).toBe(3);
    expect(sessions(await received)).toEqual(names(0, 3));
  });
});

describe.each(databases)("A repeated call on %s", (_, { create }) => {
  it("is stored and delivered once with 100 deliveries at once", async () => {
    const log = await tempLog({}, (await create()).url);
    const reader = await follow(log);
    const answers = await appendAll(
      log,
      Array.from({ length: 100 }, () => "a"),
    );
    expect(answers.toSorted()).toEqual(["appended", ...Array.from({ length: 99 }, () => "known")]);
    await appendAll(log, ["b"]);
    expect(sessions(await take(reader, 2))).toEqual(["a", "b"]);
  });

  it("is delivered once, or with each revision on request, when deliveries add something", async () => {
    const log = await tempLog({}, (await create()).url);
    const [once, each] = [await follow(log), await follow(log, { revisions: true })];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => log.append(callEnded({ sessionId: "a", duration: at }), "WEBHOOK")),
    );
    expect(answers.toSorted()).toEqual(["appended", ...Array.from({ length: 99 }, () => "revised")]);
    await appendAll(log, ["b"]);
    expect(sessions(await take(once, 2))).toEqual(["a", "b"]);
    const received = await take(each, 101);
    expect(received.slice(0, 100).map(({ revision }) => revision)).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 1),
    );
    expect((await log.bySession("a"))?.revision).toBe(100);
  });

  it("is delivered once in any order, mixed with other calls", async () => {
    const log = await tempLog({}, (await create()).url);
    const ids = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1, maxLength: 40 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(ids, async (deliveries) => {
        run += 1;
        const reader = await follow(log);
        const answers = await appendAll(
          log,
          deliveries.map((id) => `${run} ${id}`),
        );
        const distinct = [...new Set(deliveries)].map((id) => `${run} ${id}`);
        expect(answers.filter((answer) => answer === "appended")).toHaveLength(distinct.length);
        expect(sessions(await take(reader, distinct.length))).toEqual(distinct);
        await reader.return?.();
      }),
      { numRuns: 30 },
    );
  });
});

describe("append() to a store that fails", () => {
  it("keeps nothing and delivers nothing, and the next append works", async () => {
    const { events } = await tempStore();
    let isFailing = true;
    const log = await logOver({
      ...events,
      append: (deliveries, revise) =>
        isFailing ? Promise.reject(new Error("disk")) : events.append(deliveries, revise),
    });
    const reader = await follow(log);
    await expect(appendAll(log, ["a"])).rejects.toThrow("disk");
    expect(await log.bySession("a")).toBeNull();
    isFailing = false;
    expect(await appendAll(log, ["b"])).toEqual(["appended"]);
    expect(await appendAll(log, ["a"])).toEqual(["appended"]);
    expect(sessions(await take(reader, 2))).toEqual(["b", "a"]);
  });

  it("delivers the event later if only reading fails", async () => {
    const { events } = await tempStore();
    let isFailing = false;
    const log = await logOver({
      ...events,
      read: (page) => (isFailing ? Promise.reject(new Error("disk")) : events.read(page)),
    });
    const reader = await follow(log, { after: await headOf(log) });
    isFailing = true;
    expect(await appendAll(log, ["a"])).toEqual(["appended"]);
    await log.refresh();
    isFailing = false;
    await log.refresh();
    expect(sessions(await take(reader, 1))).toEqual(["a"]);
  });
});
