import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/store.ts";
import { tempFile, tempStore } from "../store/tempStore.ts";
import { NOW, callEnded, follow, logOver, sessions, take, tempLog } from "./callEnded.ts";

const instant = new Date(NOW).toISOString();

describe("what was appended is on disk", () => {
  it("when append answers, for whoever opens the file next", async () => {
    const file = tempFile();
    const store = await openStore(file);
    const log = logOver(store.events);
    const ids = Array.from({ length: 300 }, (_, at) => `s${at}`);
    expect(await Promise.all(ids.map((sessionId) => log.append(callEnded({ sessionId }))))).toEqual(
      ids.map(() => "appended"),
    );
    await store[Symbol.asyncDispose]();
    const again = logOver((await tempStore(file)).events);
    const page = await again.page({ first: 500, after: null, filter: {}, order: "oldestFirst" });
    expect(sessions(page.events)).toEqual(ids);
  });

  it("and answers only after its commit", async () => {
    const { events } = await tempStore();
    const committed: string[] = [];
    const log = logOver({
      ...events,
      async append(rows) {
        const fresh = await events.append(rows);
        committed.push(...rows.map(({ sessionId }) => sessionId));
        return fresh;
      },
    });
    const appends = ["a", "b", "c"].map(async (sessionId) => {
      await log.append(callEnded({ sessionId }));
      expect(committed).toContain(sessionId);
    });
    await Promise.all(appends);
    expect(committed).toEqual(["a", "b", "c"]);
  });

  it("as it was read, with its place and when it was received", async () => {
    const log = await tempLog();
    const call = callEnded({
      sessionId: "a",
      taskId: "9007199254740993123",
      extra: JSON.parse('{"__proto__":{"a":1},"constructor":"x","姓名":"张"}') as Record<string, unknown>,
      unread: [{ field: "startAt", text: "noon" }],
    });
    await log.append(call);
    const event = await log.bySession("a");
    expect(event).toEqual({ ...call, cursor: expect.any(String), receivedAt: instant });
    expect(JSON.stringify(event?.extra)).toBe(JSON.stringify(call.extra));
    expect(await log.bySession("b")).toBeNull();
  });
});

describe("a call that comes again is known", () => {
  it("and stored once, told once, with 100 deliveries at once", async () => {
    const log = await tempLog();
    const reader = await follow(log);
    const deliveries = Array.from({ length: 100 }, (_, at) => log.append(callEnded({ sessionId: "a", duration: at })));
    const answers = await Promise.all(deliveries);
    expect(answers.filter((answer) => answer === "appended")).toHaveLength(1);
    await log.append(callEnded({ sessionId: "b" }));
    expect(sessions(await take(reader, 2))).toEqual(["a", "b"]);
  });

  it("whatever order they come in, mixed with others", async () => {
    const ids = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(ids, async (deliveries) => {
        const log = await tempLog();
        const reader = await follow(log);
        const answers = await Promise.all(deliveries.map((sessionId) => log.append(callEnded({ sessionId }))));
        const distinct = [...new Set(deliveries)];
        expect(answers.filter((answer) => answer === "appended")).toHaveLength(distinct.length);
        expect(sessions(await take(reader, distinct.length))).toEqual(distinct);
      }),
      { numRuns: 30 },
    );
  });
});

describe("a store that fails", () => {
  it("keeps nothing and tells nobody, and the next append works", async () => {
    const { events } = await tempStore();
    let failing = true;
    const log = logOver({
      ...events,
      append: (rows) => (failing ? Promise.reject(new Error("disk")) : events.append(rows)),
    });
    const reader = await follow(log);
    await expect(log.append(callEnded({ sessionId: "a" }))).rejects.toThrow("disk");
    expect(await log.bySession("a")).toBeNull();
    failing = false;
    expect(await log.append(callEnded({ sessionId: "b" }))).toBe("appended");
    expect(await log.append(callEnded({ sessionId: "a" }))).toBe("appended");
    expect(sessions(await take(reader, 2))).toEqual(["b", "a"]);
  });
});
