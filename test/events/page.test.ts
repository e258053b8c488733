import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wasAnswered, type CallEndedData } from "../../src/events/callEndedEvent.ts";
import type { EventFilter, EventPageRequest } from "../../src/events/eventLog.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { databases } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import {
  NOW,
  appendAll,
  callEnded,
  follow,
  headOf,
  logOver,
  names,
  ownLog,
  signer,
  sessions,
  take,
  tempLog,
} from "./callEnded.ts";

const ORDERS = ["oldestFirst", "newestFirst"] as const;
const days = [18, 19, 20, 21].map((day) => `2026-11-${day}T00:00:00.000Z`);
const phones = ["13800010001", "13800010002", "A068"];
const reasons = ["busy", "no answer"];
const ids = ["1", "2", "9007199254740993123"];

const calls: fc.Arbitrary<CallEndedData[]> = fc
  .array(
    fc.record({
      direction: fc.constantFrom("inbound", "outbound", null),
      hangupSide: fc.constantFrom("caller", "callee", null),
      hangupReason: fc.constantFrom(null, ...reasons),
      answerAt: fc.constantFrom(null, "2026-11-20T00:00:00.000Z"),
      billsec: fc.constantFrom(null, 0, 5),
      endAt: fc.constantFrom(null, ...days),
      caller: fc.constantFrom(null, ...phones),
      callee: fc.constantFrom(null, ...phones),
      taskId: fc.constantFrom(null, ...ids),
      assistants: fc.array(fc.record({ assistantId: fc.constantFrom(...ids), versionId: fc.constant("1") }), {
        maxLength: 3,
      }),
    }),
    { maxLength: 30 },
  )
  .map((list) => list.map((own, at) => callEnded({ sessionId: `s${at}`, ...own })));

const filters: fc.Arbitrary<EventFilter> = fc.record(
  {
    taskIds: fc.subarray(ids),
    assistantIds: fc.subarray(ids),
    direction: fc.constantFrom("inbound", "outbound"),
    hangupSide: fc.constantFrom("caller", "callee"),
    hangupReasons: fc.subarray([null, ...reasons]),
    answered: fc.boolean(),
    phones: fc.subarray([...phones, "1380001000"]),
    since: fc.constantFrom(...days),
    until: fc.constantFrom(...days),
  },
  { requiredKeys: [] },
);

function passes(call: CallEndedData, filter: EventFilter): boolean {
  const ended = call.endAt ?? new Date(NOW).toISOString();
  return [
    filter.taskIds?.includes(call.taskId ?? "none") ?? true,
    filter.assistantIds?.some((id) => call.assistants.some(({ assistantId }) => assistantId === id)) ?? true,
    filter.direction === undefined || call.direction === filter.direction,
    filter.hangupSide === undefined || call.hangupSide === filter.hangupSide,
    filter.hangupReasons?.includes(call.hangupReason) ?? true,
    filter.answered === undefined || wasAnswered(call) === filter.answered,
    filter.phones?.some((phone) => call.caller === phone || call.callee === phone) ?? true,
    filter.since === undefined || ended >= filter.since,
    filter.until === undefined || ended < filter.until,
  ].every(Boolean);
}

const pageOf = (own: Partial<EventPageRequest>): EventPageRequest => ({
  first: 1,
  after: null,
  filter: {},
  revisions: false,
  order: "oldestFirst",
  ...own,
});

describe("A filter of the log", () => {
  it("selects exactly the matching events, for any calls, order and page size", async () => {
    await fc.assert(
      fc.asyncProperty(
        calls,
        filters,
        fc.constantFrom(...ORDERS),
        fc.integer({ min: 1, max: 7 }),
        async (list, filter, order, first) => {
          const { log, close } = await ownLog();
          for (const call of list) await log.append(call, "WEBHOOK");
          const expected = list.filter((call) => passes(call, filter)).map(({ sessionId }) => sessionId);
          if (order === "newestFirst") expected.reverse();

          const paged: string[] = [];
          let after: string | null = null;
          for (;;) {
            const page = await log.page(pageOf({ first, after, filter, order }));
            paged.push(...sessions(page.events));
            expect(page.hasMore).toBe(paged.length < expected.length);
            after = page.events.at(-1)?.cursor ?? after;
            if (!page.hasMore) break;
            expect(page.events).toHaveLength(first);
          }
          await close();
          expect(paged).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is the same for a follower of the log", async () => {
    const log = await tempLog();
    const reader = await follow(log, { after: await headOf(log), filter: { taskIds: ["9"], answered: true } });
    for (let at = 0; at < 250; at += 1) {
      const taskId = at % 50 === 0 ? "9" : "8";
      const call = callEnded({ sessionId: `s${at}`, taskId, answerAt: null, billsec: at === 100 ? 0 : 1 });
      await log.append(call, "WEBHOOK");
    }
    expect(sessions(await take(reader, 4))).toEqual(["s0", "s50", "s150", "s200"]);
  });
});

describe("The revisions of a call", () => {
  it("are in a page on request, which otherwise has each call once", async () => {
    const log = await tempLog();
    await log.append(callEnded({ sessionId: "a", recordUrl: null }), "RECONCILED");
    await appendAll(log, ["b"]);
    expect(await log.append(callEnded({ sessionId: "a", recordUrl: "https://files.example/1" }), "WEBHOOK")).toBe(
      "revised",
    );
    const shown = async (revisions: boolean) =>
      (await log.page(pageOf({ first: 9, revisions }))).events.map(
        ({ sessionId, revision }) => `${sessionId}${revision}`,
      );
    expect(await shown(true)).toEqual(["a1", "b1", "a2"]);
    expect(await shown(false)).toEqual(["a1", "b1"]);
    expect(await log.bySession("a")).toMatchObject({
      revision: 2,
      source: "WEBHOOK",
      recordUrl: "https://files.example/1",
    });
  });
});

describe.each(databases)("The head cursor of a page on %s", (_, { create }) => {
  it("continues after an empty log", async () => {
    const log = await tempLog({}, (await create()).url);
    const page = await log.page(pageOf({ order: "newestFirst" }));
    expect(page).toEqual({ events: [], hasMore: false, headCursor: expect.any(String) as string });
    await appendAll(log, ["a"]);
    expect(sessions(await take(await follow(log, { after: page.headCursor }), 1))).toEqual(["a"]);
  });

  it("continues after a page that is empty by its filter", async () => {
    const log = await tempLog({}, (await create()).url);
    await appendAll(log, ["a"]);
    const { headCursor } = await log.page(pageOf({ filter: { taskIds: [] } }));
    await appendAll(log, ["b"]);
    expect(sessions(await take(await follow(log, { after: headCursor }), 1))).toEqual(["b"]);
  });

  it("leads a follower to every event that is not in the page, during writes", async () => {
    const log = await tempLog({}, (await create()).url);
    const writing = names(0, 200).map((sessionId) => log.append(callEnded({ sessionId }), "WEBHOOK"));
    await writing[50];
    const page = await log.page(pageOf({ first: 1000 }));
    await Promise.all(writing);
    await appendAll(log, ["last"]);
    const reader = await follow(log, { after: page.headCursor });
    const seen = new Set(sessions(page.events));
    for (let last = ""; last !== "last";) {
      const [event] = await take(reader, 1);
      last = event?.sessionId ?? "last";
      seen.add(last);
    }
    expect(seen.size).toBe(201);
  });
});

describe("The head cursor of a page during a write", () => {
  it.each(ORDERS)("leads past an event that was written while the page was read, %s", async (order) => {
    const { events: store } = await tempStore();
    let write = async (): Promise<void> => undefined;
    const head = async () => {
      const before = await store.head();
      await write();
      return before;
    };
    const log = await logOver({ ...store, head });
    await appendAll(log, ["before"]);
    write = async () => void (await appendAll(log, ["meanwhile"]));
    const page = await log.page(pageOf({ order, first: 10 }));
    expect(sessions(page.events).toSorted()).toEqual(["before", "meanwhile"]);
    await appendAll(log, ["after"]);
    expect(sessions(await take(await follow(log, { after: page.headCursor }), 1))).toEqual(["after"]);
  });
});

describe("A cursor that this log did not make", () => {
  const forged = ["", "0", "0000000001", "nonsense", createSigner(Buffer.alloc(32, 1)).sign("event", "0000000001")];
  const invalid = { code: "CURSOR_INVALID" };

  it.each(forged)("is refused: %j", async (after) => {
    const log = await tempLog();
    await expect(log.page(pageOf({ after }))).rejects.toMatchObject(invalid);
    await expect(follow(log, { after })).rejects.toMatchObject(invalid);
    await expect(log.checkRetained(after)).rejects.toMatchObject(invalid);
  });

  it("is refused if it was made for another purpose", async () => {
    const after = signer.sign("call log", "0000000001");
    await expect(follow(await tempLog(), { after })).rejects.toMatchObject(invalid);
  });

  it("is refused if it is beyond the head of the log", async () => {
    const [longer, shorter] = [await tempLog(), await tempLog()];
    await appendAll(longer, ["a"]);
    const after = await headOf(longer);
    await expect(follow(shorter, { after })).rejects.toMatchObject(invalid);
    await expect(shorter.page(pageOf({ after }))).rejects.toMatchObject(invalid);
    await appendAll(shorter, ["a"]);
    await shorter.checkRetained(after);
  });
});

describe("wasAnswered", () => {
  it.each([
    [{ answerAt: null, billsec: null }, false],
    [{ answerAt: null, billsec: 0 }, false],
    [{ answerAt: null, billsec: 0.5 }, true],
    [{ answerAt: "2026-11-20T09:30:00.000Z", billsec: 0 }, true],
  ])("reads %j as %s", (call, answered) => {
    expect(wasAnswered(call)).toBe(answered);
  });
});
