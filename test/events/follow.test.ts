import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createBell, type Bell } from "../../src/events/bell.ts";
import { follow as followStore } from "../../src/events/follow.ts";
import type { EventLog } from "../../src/events/eventLog.ts";
import { eventRow, tempStore } from "../store/tempStore.ts";
import { callEnded, follow, ownLog, sessions, take, tempLog, type Following } from "./callEnded.ts";

const appendAll = (log: EventLog, ids: readonly string[]) =>
  Promise.all(ids.map((sessionId) => log.append(callEnded({ sessionId }))));
const names = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `s${from + at}`);

describe("a reader is told every event behind its cursor, in order, then each as it comes", () => {
  it("from now on, where it has no cursor", async () => {
    const log = await tempLog();
    await appendAll(log, ["before"]);
    const reader = await follow(log);
    await appendAll(log, ["a", "b"]);
    const told = take(reader, 3);
    await appendAll(log, ["c"]);
    expect(sessions(await told)).toEqual(["a", "b", "c"]);
  });

  it("over many batches, while writing goes on", async () => {
    const log = await tempLog();
    await appendAll(log, names(0, 1));
    const [first] = (await log.page({ first: 1, after: null, filter: {}, order: "oldestFirst" })).events;
    await appendAll(log, names(1, 350));
    const reader = await follow(log, first?.cursor);
    const told = take(reader, 499);
    for (let at = 350; at < 500; at += 10) await appendAll(log, names(at, at + 10));
    expect(sessions(await told)).toEqual(names(1, 500));
  });

  it("and its cursors grow by code unit", async () => {
    const log = await tempLog();
    const reader = await follow(log);
    await appendAll(log, names(0, 50));
    const cursors = (await take(reader, 50)).map(({ cursor }) => cursor);
    expect(cursors.every((cursor, at) => at === 0 || cursor > (cursors[at - 1] ?? ""))).toBe(true);
  });

  it("however often it is cut and resumes, whatever is written in between", async () => {
    const step = fc.oneof(
      fc.record({ append: fc.integer({ min: 1, max: 120 }) }),
      fc.record({ read: fc.integer({ min: 1, max: 120 }) }),
      fc.constant({ cut: true }),
      fc.constant({ waitAndCut: true }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { log, close } = await ownLog();
        const start = (await log.page({ first: 1, after: null, filter: {}, order: "oldestFirst" })).headCursor;
        const pending: Promise<unknown>[] = [];
        const told: string[] = [];
        let written = 0;
        let cursor = start;
        let reader: Following = await log.follow({ after: cursor, filter: {} });
        const read = async (count: number) => {
          for (const event of await take(reader, count)) {
            told.push(event.sessionId);
            cursor = event.cursor;
          }
        };
        const resume = async () => {
          await reader.return?.();
          reader = await log.follow({ after: cursor, filter: {} });
        };
        for (const one of steps) {
          if ("append" in one) {
            pending.push(appendAll(log, names(written, (written += one.append))));
          } else if ("read" in one) await read(Math.min(one.read, written - told.length));
          else if ("cut" in one) await resume();
          else {
            // Cut while it waits, or is about to give an event: an event that was asked for but not given is told again.
            const asked = reader.next();
            await resume();
            const { done, value } = await asked;
            if (!done) told.push(value.sessionId);
            if (!done) cursor = value.cursor;
            if (!done) await resume();
          }
        }
        await Promise.all(pending);
        await read(written - told.length);
        await reader.return?.();
        await close();
        expect(told).toEqual(names(0, written));
      }),
      { numRuns: 60 },
    );
  });
});

describe("two readers do not disturb each other", () => {
  it("the one that never asks holds up neither the other nor the writer", async () => {
    const log = await tempLog();
    const [slow, fast] = [await follow(log), await follow(log)];
    await appendAll(log, names(0, 1000));
    expect(sessions(await take(fast, 1000))).toEqual(names(0, 1000));
    expect(sessions(await take(slow, 1000))).toEqual(names(0, 1000));
  });
});

describe("return() ends a reader at once", () => {
  async function spied() {
    const { events } = await tempStore();
    const bell = createBell();
    let ears = 0;
    let waiting = Promise.withResolvers<void>();
    const counted: Bell = {
      ring: bell.ring,
      listen() {
        ears += 1;
        const ear = bell.listen();
        return {
          ...ear,
          wait() {
            waiting.resolve();
            return ear.wait();
          },
          close() {
            ears -= 1;
            ear.close();
          },
        };
      },
    };
    const reader = (store: Pick<typeof events, "read" | "head"> = events) =>
      followStore({ store, bell: counted, place: 0, filter: {}, eventOf: (row) => row.seq });
    const waits = async () => {
      await waiting.promise;
      waiting = Promise.withResolvers();
    };
    return { events, bell: counted, reader, waits, ears: () => ears };
  }

  it("while it waits, and no ear stays on the bell", async () => {
    const { reader, waits, ears } = await spied();
    const rows = reader();
    const asked = rows.next();
    await waits();
    expect(await rows.return?.()).toEqual({ done: true, value: undefined });
    expect(await asked).toEqual({ done: true, value: undefined });
    expect(ears()).toBe(0);
    expect(await rows.next()).toEqual({ done: true, value: undefined });
  });

  it("before it was asked anything, and in the middle of a batch", async () => {
    const { events, reader, ears } = await spied();
    await events.append([eventRow({ sessionId: "a" }), eventRow({ sessionId: "b" })]);
    await reader().return?.();
    const rows = reader();
    expect(await rows.next()).toEqual({ done: false, value: 1 });
    await rows.return?.();
    expect(await rows.next()).toEqual({ done: true, value: undefined });
    expect(ears()).toBe(0);
  });

  it("also by leaving a loop over it", async () => {
    const { events, reader, ears } = await spied();
    await events.append([eventRow({ sessionId: "a" })]);
    for await (const seq of reader()) {
      expect(seq).toBe(1);
      break;
    }
    expect(ears()).toBe(0);
  });

  it("and a store that fails ends it with the error, once", async () => {
    const { events, reader, ears } = await spied();
    const rows = reader({ ...events, read: () => Promise.reject(new Error("disk")) });
    await expect(rows.next()).rejects.toThrow("disk");
    expect(ears()).toBe(0);
    expect(await rows.next()).toEqual({ done: true, value: undefined });
  });

  it("while a ring for nothing wakes it and gives nothing", async () => {
    const { events, bell, reader, waits } = await spied();
    const rows = reader();
    onTestFinished(async () => void (await rows.return?.()));
    const asked = rows.next();
    await waits();
    bell.ring();
    await waits();
    await events.append([eventRow({ sessionId: "a" })]);
    bell.ring();
    expect(await asked).toEqual({ done: false, value: 1 });
  });
});

describe("a filter that passes nothing", () => {
  it("gives nothing, reads no row twice, and is left at once", async () => {
    const { events } = await tempStore();
    const bell = createBell();
    const places: (number | null)[] = [];
    let waiting = Promise.withResolvers<void>();
    const store = {
      head: events.head,
      async read(page: Parameters<typeof events.read>[0]) {
        places.push(page.after);
        const rows = await events.read(page);
        waiting.resolve();
        return rows;
      },
    };
    const rows = followStore({ store, bell, place: 0, filter: { taskIds: [] }, eventOf: (row) => row.seq });
    const asked = rows.next();
    for (let at = 0; at < 3; at += 1) {
      await waiting.promise;
      waiting = Promise.withResolvers();
      await events.append(names(at * 10, at * 10 + 10).map((sessionId) => eventRow({ sessionId })));
      bell.ring();
    }
    await waiting.promise;
    await rows.return?.();
    expect(await asked).toEqual({ done: true, value: undefined });
    expect(places.slice(0, 4)).toEqual([0, 0, 10, 20]);
  });
});
