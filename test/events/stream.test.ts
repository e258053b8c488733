import { describe, expect, it } from "vitest";
import type { StreamItem } from "../../src/events/eventLog.ts";
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
  next,
  sessions,
  take,
  tempLog,
} from "./callEnded.ts";

const SOON = 20;
/** Longer than an append takes, so that no pause between two of them is as long as a reader waits. */
const LATER = 500;

describe("A checkpoint of a stream", () => {
  it("comes at once, before anything else", async () => {
    const log = await tempLog();
    await appendAll(log, names(0, 3));
    const head = await headOf(log);
    expect(await next(await follow(log))).toEqual({ kind: "checkpoint", cursor: head });
    const [start] = (await log.page({ first: 1, after: null, filter: {}, revisions: false, order: "oldestFirst" }))
      .events;
    const after = start?.cursor ?? "";
    expect(await next(await follow(log, { after }))).toEqual({ kind: "checkpoint", cursor: after });
  });

  it("comes repeatedly while nothing is appended", async () => {
    const log = await tempLog({ checkpointMs: SOON });
    await appendAll(log, ["a"]);
    const cursor = await headOf(log);
    const reader = await follow(log);
    for (let at = 0; at < 3; at += 1) expect(await next(reader)).toEqual({ kind: "checkpoint", cursor });
  });

  it("comes while all appended events fail the filter", async () => {
    const log = await tempLog({ checkpointMs: LATER });
    const reader = await follow(log, { filter: { taskIds: ["none"] } });
    const first = await next(reader);
    const received: StreamItem[] = [];
    const second = next(reader).then((item) => received.push(item));
    for (let at = 0; received.length === 0; at += 1) await appendAll(log, [`s${at}`]);
    await second;
    expect(received).toEqual([{ kind: "checkpoint", cursor: expect.any(String) as string }]);
    const cursorOf = (item?: StreamItem) => (item?.kind === "checkpoint" ? item.cursor : "");
    expect(cursorOf(received[0]) > cursorOf(first)).toBe(true);
  });

  it("is after all events that failed the filter, so that a reader resumes without gap or repeat", async () => {
    const log = await tempLog({ checkpointMs: SOON });
    const filter = { taskIds: ["9"] };
    const reader = await follow(log, { filter });
    await appendAll(log, names(0, 150));
    const head = await headOf(log);
    let item = await next(reader);
    while (item.kind === "checkpoint" && item.cursor < head) item = await next(reader);
    expect(item).toEqual({ kind: "checkpoint", cursor: head });
    const again = await follow(log, { filter, after: head });
    await log.append(callEnded({ sessionId: "x", taskId: "9" }), "WEBHOOK");
    expect(sessions(await take(again, 1))).toEqual(["x"]);
    expect(sessions(await take(reader, 1))).toEqual(["x"]);
  });
});

describe.each(databases)("Purged events on %s", (_, { create }) => {
  const DAY = 86_400_000;

  /** Ten calls, one a day; the log opened before or behind them. */
  async function tenDays() {
    const { url } = await create();
    const store = await tempStore(url);
    let day = 0;
    const log = await logOver(store.events, { clock: () => NOW + day * DAY, checkpointMs: SOON });
    const start = await headOf(log);
    for (; day < 10; day += 1) await appendAll(log, [`s${day}`]);
    const purge = async (days: number) => store.events.purge(new Date(NOW + days * DAY).toISOString(), 100);
    return { store, log, start, purge, reopened: () => logOver(store.events, { checkpointMs: SOON }) };
  }

  it("are a gap at the start of a stream", async () => {
    const { start, purge, reopened } = await tenDays();
    await purge(4);
    const log = await reopened();
    const reader = await follow(log, { after: start });
    expect(await next(reader)).toEqual({ kind: "checkpoint", cursor: start });
    const gap = await next(reader);
    expect(gap).toEqual({ kind: "gap", after: start, cursor: expect.any(String) as string });
    const kept = await take(reader, 6);
    expect(sessions(kept)).toEqual(names(4, 10));
    const behindGap = await follow(log, { after: gap.kind === "gap" ? gap.cursor : "" });
    expect(sessions(await take(behindGap, 6))).toEqual(names(4, 10));
  });

  it("are a gap for a reader that lags", async () => {
    const { start, purge, reopened } = await tenDays();
    const reader = await follow(await reopened(), { after: start });
    await next(reader);
    await purge(4);
    expect(await next(reader)).toMatchObject({ kind: "gap", after: start });
    expect(sessions(await take(reader, 6))).toEqual(names(4, 10));
  });

  it("are a gap in the middle of a stream", async () => {
    const { store, start, purge, reopened } = await tenDays();
    const log = await reopened();
    const reader = await follow(log, { after: start });
    const [first] = await take(reader, 1);
    await purge(5);
    // It holds one batch already, and tells it; whoever comes from where it stands is told of the gap.
    const again = await follow(log, { after: first?.cursor ?? "" });
    await next(again);
    expect(await next(again)).toMatchObject({ kind: "gap", after: first?.cursor });
    expect(sessions(await take(reader, 9))).toEqual(names(1, 10));
    expect(await store.events.purgedThrough()).toBe(5);
  });

  it("are a gap if the whole log was purged", async () => {
    const { start, purge, reopened } = await tenDays();
    await purge(50);
    const log = await reopened();
    const head = await headOf(log);
    const reader = await follow(log, { after: start });
    await next(reader);
    expect(await next(reader)).toEqual({ kind: "gap", after: start, cursor: head });
    expect(await next(reader)).toEqual({ kind: "checkpoint", cursor: head });
    await appendAll(log, ["x"]);
    expect(sessions(await take(reader, 1))).toEqual(["x"]);
  });

  it("make a cursor before them CURSOR_EXPIRED, and no later one", async () => {
    const { log, start, purge } = await tenDays();
    const page = { first: 3, filter: {}, revisions: false, order: "oldestFirst" } as const;
    const { events } = await log.page({ ...page, after: start });
    await purge(2);
    const expired = { code: "CURSOR_EXPIRED" };
    const [first, second] = events.map(({ cursor }) => cursor);
    await expect(log.checkRetained(start)).rejects.toMatchObject(expired);
    await expect(log.checkRetained(first ?? "")).rejects.toMatchObject(expired);
    await expect(log.page({ ...page, after: first ?? "" })).rejects.toMatchObject(expired);
    await log.checkRetained(second ?? "");
    expect(sessions((await log.page({ ...page, after: second ?? "" })).events)).toEqual(names(2, 5));
    const backwards = await log.page({ ...page, after: start, order: "newestFirst" });
    expect(backwards.events).toEqual([]);
  });
});

describe("A stream with revisions", () => {
  it("delivers each revision to followers with revisions", async () => {
    const log = await tempLog();
    const [once, each] = [await follow(log), await follow(log, { revisions: true })];
    const filtered = await follow(log, { filter: { hangupSide: "callee" } });
    await log.append(callEnded({ sessionId: "a", hangupSide: null }), "RECONCILED");
    await log.append(callEnded({ sessionId: "a" }), "WEBHOOK");
    await log.append(callEnded({ sessionId: "a", recordUrl: "https://files.example/1" }), "WEBHOOK");
    await appendAll(log, ["b"]);
    const receive = async (reader: typeof once, count: number) =>
      (await take(reader, count)).map(({ sessionId, revision }) => `${sessionId}${revision}`);
    expect(await receive(once, 2)).toEqual(["a1", "b1"]);
    expect(await receive(each, 4)).toEqual(["a1", "a2", "a3", "b1"]);
    expect(await receive(filtered, 2)).toEqual(["a2", "b1"]);
  });
});
