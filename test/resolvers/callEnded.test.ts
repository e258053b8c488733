import { describe, expect, it, onTestFinished } from "vitest";
import {
  callEndedEvents,
  callEndedOf,
  followCallEnded,
  followStream,
  hungUpBy,
  type CallEndedFilter,
} from "../../src/resolvers/callEnded.ts";
import type { FollowRequest, StreamItem } from "../../src/events/eventLog.ts";
import { tempStore } from "../store/tempStore.ts";
import { callEnded, headOf, logOver, tempLog } from "../events/callEnded.ts";
import { until } from "../support/until.ts";
import { world } from "./world.ts";

const ONCE = { revisions: false };

async function filled(count: number) {
  const events = await tempLog();
  for (let at = 0; at < count; at += 1) {
    await events.append(callEnded({ sessionId: `s-${at}`, direction: at % 2 ? "inbound" : "outbound" }), "WEBHOOK");
  }
  return { ...world({ own: { events } }).context, events };
}

describe("callEndedEvents", () => {
  it.each(["oldestFirst", "newestFirst"] as const)("gives pages in the order %s", async (order) => {
    const context = await filled(5);
    const first = await callEndedEvents({ ...ONCE, first: 3, order }, context);
    const second = await callEndedEvents({ ...ONCE, first: 3, order, after: first.pageInfo.endCursor() }, context);
    const ids = [...first.edges, ...second.edges].map(({ node }) => node.sessionId);
    expect(order === "oldestFirst" ? ids : ids.toReversed()).toEqual(["s-0", "s-1", "s-2", "s-3", "s-4"]);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(first.pageInfo.startCursor()).toBe(first.edges[0]?.node.cursor);
    expect(first.headCursor).toBe(second.headCursor);
  });

  it("ignores filters that are null", async () => {
    const context = await filled(4);
    const filter: CallEndedFilter = { direction: "inbound", taskIds: null, phone: null, answered: null, since: null };
    const { edges } = await callEndedEvents({ ...ONCE, first: 10, order: "oldestFirst", filter }, context);
    expect(edges.map(({ node }) => node.sessionId)).toEqual(["s-1", "s-3"]);
  });

  it("ignores blanks around a phone number in the filter", async () => {
    const context = await filled(2);
    const page = await callEndedEvents(
      { ...ONCE, first: 10, order: "oldestFirst", filter: { phone: " 13800010001 " } },
      context,
    );
    expect(page.edges).toHaveLength(2);
  });

  it("callEnded gives the event of a session, or null", async () => {
    const context = await filled(1);
    expect(await callEndedOf("s-0", context)).toMatchObject({ sessionId: "s-0" });
    expect(await callEndedOf("s-1", context)).toBeNull();
  });
});

describe("callEndedEvents refuses, before it reads the log,", () => {
  const filters: CallEndedFilter[] = [
    { taskIds: ["0"] },
    { assistantIds: ["x"] },
    { phone: "" },
    { phone: " - " },
    { phone: "1'--" },
    { since: "2026-11-20T00:00:01.000Z", until: "2026-11-20T00:00:00.000Z" },
  ];

  it.each(filters)("refuses the filter %j before it reads the log", async (filter) => {
    const { context } = world();
    const refused = { code: "BAD_USER_INPUT" };
    await expect(callEndedEvents({ ...ONCE, first: 1, order: "oldestFirst", filter }, context)).rejects.toMatchObject(
      refused,
    );
    await expect(followCallEnded({ ...ONCE, filter }, context)).rejects.toMatchObject(refused);
  });

  it.each([0, -1, 101])("refuses the page size %i before it reads the log", async (first) => {
    const events = callEndedEvents({ ...ONCE, first, order: "oldestFirst" }, world().context);
    await expect(events).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  });

  it.each(["taskIds", "hangupReasons"])("refuses 101 entries in %s before it reads the log", async (name) => {
    const filter = { [name]: Array.from({ length: 101 }, () => "1") };
    await expect(followCallEnded({ ...ONCE, filter }, world().context)).rejects.toMatchObject({
      code: "QUERY_TOO_COMPLEX",
    });
  });
});

describe("followCallEnded", () => {
  it("continues behind the head cursor of a page, with a filter", async () => {
    const context = await filled(3);
    const { headCursor } = await callEndedEvents({ ...ONCE, first: 1, order: "newestFirst" }, context);
    const stream = await followCallEnded({ ...ONCE, after: headCursor, filter: { direction: "inbound" } }, context);
    onTestFinished(async () => void (await stream.return?.()));
    await context.events.append(callEnded({ sessionId: "x" }), "WEBHOOK");
    await context.events.append(callEnded({ sessionId: "y", direction: "inbound" }), "WEBHOOK");
    expect(await stream.next()).toMatchObject({ value: { sessionId: "y" } });
  });

  it("refuses an invalid cursor", async () => {
    const stream = followCallEnded({ ...ONCE, after: "x" }, await filled(1));
    await expect(stream).rejects.toMatchObject({ code: "CURSOR_INVALID" });
  });
});

describe("events that are no longer kept", () => {
  async function purgedUnder(filledWith = 3) {
    const store = await tempStore();
    const events = await logOver(store.events);
    const start = await headOf(events);
    for (let at = 0; at < filledWith; at += 1) await events.append(callEnded({ sessionId: `s-${at}` }), "WEBHOOK");
    // A log that is opened later reads them from the database.
    const context = world({ own: { events: await logOver(store.events) } }).context;
    return { start, context, purge: () => store.events.purge("2027", 2) };
  }

  it("make callEnded refuse a cursor before them", async () => {
    const { start, context, purge } = await purgedUnder();
    await purge();
    const stream = followCallEnded({ ...ONCE, after: start }, context);
    const error = (await stream.catch((failure: unknown) => failure)) as { code: string; cursor: string };
    expect(error.code).toBe("CURSOR_EXPIRED");
    const resumed = await followCallEnded({ ...ONCE, after: error.cursor }, context);
    onTestFinished(async () => void (await resumed.return?.()));
    expect(await resumed.next()).toMatchObject({ value: { sessionId: "s-2" } });
  });

  it("end callEnded with CURSOR_EXPIRED if they are purged while the reader lags", async () => {
    const { start, context, purge } = await purgedUnder();
    const stream = await followCallEnded({ ...ONCE, after: start }, context);
    await purge();
    await expect(stream.next()).rejects.toMatchObject({ code: "CURSOR_EXPIRED" });
    await stream.return?.();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it("are a gap in callEndedStream, which continues", async () => {
    const { start, context, purge } = await purgedUnder();
    await purge();
    const stream = await followStream({ ...ONCE, after: start }, context);
    onTestFinished(async () => void (await stream.return?.()));
    const items = [await stream.next(), await stream.next(), await stream.next()].map(
      ({ value }) => value as StreamItem,
    );
    expect(items).toMatchObject([
      { kind: "checkpoint", cursor: start },
      { kind: "gap", after: start },
      { kind: "event", event: { sessionId: "s-2" } },
    ]);
  });
});

describe("hungUpBy", () => {
  it.each([
    ["outbound", "caller", "ASSISTANT"],
    ["outbound", "callee", "CUSTOMER"],
    ["inbound", "caller", "CUSTOMER"],
    ["inbound", "callee", "ASSISTANT"],
    [null, "caller", null],
    ["inbound", null, null],
    [null, null, null],
  ] as const)("of an %s call hung up by the %s is %s", (direction, hangupSide, who) => {
    const metadata = { cursor: "", revision: 1, source: "WEBHOOK", receivedAt: "" } as const;
    expect(hungUpBy({ ...callEnded({ sessionId: "s", direction, hangupSide }), ...metadata })).toBe(who);
  });
});

describe("the source of a subscription", () => {
  it("replaces the argument after, and its first checkpoint is not repeated", async () => {
    const context = await filled(3);
    const { edges } = await callEndedEvents({ ...ONCE, first: 3, order: "oldestFirst" }, context);
    const [first, second] = edges.map(({ cursor }) => cursor);
    const source = { after: second ?? null, eventStream: null, onHead: null };
    const stream = await followStream({ ...ONCE, after: first }, { ...context, source });
    onTestFinished(async () => void (await stream.return?.()));
    expect((await stream.next()).value).toMatchObject({ kind: "event", event: { sessionId: "s-2" } });
  });

  it("is notified at the head of the log, with the request that was made", async () => {
    const context = await filled(1);
    const { headCursor } = await callEndedEvents({ ...ONCE, first: 1, order: "oldestFirst" }, context);
    const heads: unknown[] = [];
    const onHead = (cursor: string, { filter, revisions }: FollowRequest) => heads.push({ cursor, filter, revisions });
    const source = { after: null, eventStream: null, onHead };
    const stream = await followCallEnded({ ...ONCE, filter: { direction: "inbound" } }, { ...context, source });
    const next = stream.next();
    await until(() => heads.length > 0);
    expect(heads).toEqual([
      { cursor: headCursor, filter: { direction: "inbound", imported: false }, revisions: false },
    ]);
    await stream.return?.();
    expect(await next).toMatchObject({ done: true });
  });
});
