import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { databases } from "../store/databases.ts";
import type { StreamItem } from "../../src/events/eventLog.ts";
import { appendAll, follow, headOf, names, readerOf, sessions, take, tempLog, type Following } from "./callEnded.ts";

describe.each(databases)("follow() on %s", (name, { create }) => {
  const fresh = async () => tempLog({}, (await create()).url);

  it("starts at the head without a cursor", async () => {
    const log = await fresh();
    await appendAll(log, ["before"]);
    const reader = await follow(log);
    await appendAll(log, ["a", "b"]);
    const received = take(reader, 3);
    await appendAll(log, ["c"]);
    expect(sessions(await received)).toEqual(["a", "b", "c"]);
  });

  it("gives every event in order over many batches, while others are appended", async () => {
    const log = await fresh();
    await appendAll(log, names(0, 1));
    const after = await headOf(log);
    await appendAll(log, names(1, 350));
    const received = take(await follow(log, { after }), 499);
    for (let at = 350; at < 500; at += 10) await appendAll(log, names(at, at + 10));
    expect(sessions(await received)).toEqual(names(1, 500));
  });

  it("gives cursors that sort by code unit", async () => {
    const log = await fresh();
    const reader = await follow(log);
    await appendAll(log, names(0, 50));
    const cursors = (await take(reader, 50)).map(({ cursor }) => cursor);
    expect(cursors.every((cursor, at) => at === 0 || cursor > (cursors[at - 1] ?? ""))).toBe(true);
  });

  it("gives every event once to a reader that is cut and resumes many times", async () => {
    const log = await fresh();
    const step = fc.oneof(
      fc.record({ append: fc.integer({ min: 1, max: 120 }) }),
      fc.record({ read: fc.integer({ min: 1, max: 120 }) }),
      fc.constant({ cut: true }),
      fc.constant({ waitAndCut: true }),
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        run += 1;
        const own = (from: number, to: number) => names(from, to).map((id) => `${run} ${id}`);
        const pending: Promise<unknown>[] = [];
        const received: string[] = [];
        let written = 0;
        let cursor = await headOf(log);
        let reader: Following = await readerOf(log, { after: cursor });
        const hear = (item: StreamItem) => {
          cursor = item.kind === "event" ? item.event.cursor : item.cursor;
          if (item.kind === "event") received.push(item.event.sessionId);
        };
        const read = async (count: number) => {
          for (const event of await take(reader, count)) hear({ kind: "event", event });
        };
        const resume = async () => {
          await reader.return?.();
          reader = await readerOf(log, { after: cursor });
        };
        for (const one of steps) {
          if ("append" in one) pending.push(appendAll(log, own(written, (written += one.append))));
          else if ("read" in one) await read(Math.min(one.read, written - received.length));
          else if ("cut" in one) await resume();
          else {
            // Cut while it waits, or is about to give an item: an item that was requested and not returned is delivered again.
            const asked = reader.next();
            await reader.return?.();
            const { done, value } = await asked;
            if (!done) hear(value);
            reader = await readerOf(log, { after: cursor });
          }
        }
        await Promise.all(pending);
        await read(written - received.length);
        await reader.return?.();
        expect(received).toEqual(own(0, written));
      }),
      { numRuns: name === "SQLite" ? 60 : 25 },
    );
  });
});

describe("A follower that never reads", () => {
  it("delays neither another follower nor the writer", async () => {
    const log = await tempLog();
    const [slow, fast] = [await follow(log), await follow(log)];
    await appendAll(log, names(0, 1000));
    expect(sessions(await take(fast, 1000))).toEqual(names(0, 1000));
    expect(sessions(await take(slow, 1000))).toEqual(names(0, 1000));
  });
});
