import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { DAY, FAST, HOUR, importAll, latest, logOf, seedEnds, sessionsOf, start } from "./imports.ts";

const days = (count: number) => Date.now() - count * DAY;
const spread = (count: number, from: number, to: number) =>
  Array.from({ length: count }, (_, at) => Math.floor((from + ((to - from) * at) / count) / 1000) * 1000);

describe("an import of earlier calls", () => {
  let sandbox: Sandbox;
  let gateway: TestGateway;
  let ids: string[];
  beforeAll(async () => {
    sandbox = await emptySandbox();
    // More than a page, more than a window takes, and several in one second.
    ids = seedEnds(sandbox, [
      ...spread(120, days(20), days(10)),
      ...spread(1300, days(9), days(8.9)),
      ...Array(30).fill(days(5)),
    ]);
    gateway = await startGateway(sandbox, FAST);
    connectSandbox(sandbox, gateway);
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });

  it("appends every call once, in the order of time, without the fields of webhooks", async () => {
    expect(await importAll(gateway, days(30))).toMatchObject({
      state: "DONE",
      problem: null,
      progress: 1,
      calls: ids.length,
      tooOld: 0,
      leftOut: 0,
    });
    const log = await logOf(gateway);
    expect(new Set(sessionsOf(log))).toEqual(new Set(ids));
    expect(log.length).toBe(ids.length);
    const ends = log.map(({ endAt }) => endAt ?? "");
    expect(ends).toEqual(ends.toSorted((a, b) => (a < b ? -1 : Number(a > b))));
    expect(new Set(log.map(({ source, revision, hangupReason }) => `${source} ${revision} ${hangupReason}`))).toEqual(
      new Set(["IMPORTED 1 null"]),
    );
  });

  it("adds nothing the second time", async () => {
    expect(await importAll(gateway, days(30))).toMatchObject({ state: "DONE", calls: 0 });
    expect((await logOf(gateway)).length).toBe(ids.length);
  });

  it("is not news for a live subscriber, and a webhook of an imported call is, once", async () => {
    const stream = (args: string) =>
      openSse(gateway.url, { query: `subscription { callEnded${args} { sessionId source revision } }` });
    await using live = await stream("");
    await using revisions = await stream("(revisions: true)");
    await using all = await stream("(imported: true)");
    const inStream = (args: string) => {
      const query = `subscription { callEndedStream${args} { ... on CallEnded { sessionId source } } }`;
      return openSse<{ callEndedStream: { sessionId?: string } }>(gateway.url, { query });
    };
    await using inOrder = await inStream("");
    await using streamOfAll = await inStream("(imported: true)");
    const added = seedEnds(sandbox, [days(3), days(2)], "late");
    expect(await importAll(gateway, days(4))).toMatchObject({ calls: 2 });
    const call = { sessionId: added[0] as string, hangupReason: "busy" };
    sandbox.control.endCall(call);
    sandbox.control.endCall(call);
    const news = { sessionId: added[0], source: "WEBHOOK", revision: 2 };
    expect(await live.next()).toMatchObject({ data: { callEnded: news } });
    expect(await revisions.next()).toMatchObject({ data: { callEnded: news } });
    for (const sessionId of added)
      expect(await all.next()).toMatchObject({ data: { callEnded: { sessionId, source: "IMPORTED", revision: 1 } } });
    const nextOf = (each: typeof inOrder) => until(async () => (await each.next()).data?.callEndedStream.sessionId);
    expect(await nextOf(inOrder)).toBe(added[0]);
    for (const sessionId of added) expect(await nextOf(streamOfAll)).toBe(sessionId);
    const last = sandbox.control.endCall({}).sessionId;
    for (const each of [inOrder, streamOfAll]) expect(await nextOf(each)).toBe(last);
    for (const each of [live, all])
      expect(await each.next()).toMatchObject({ data: { callEnded: { sessionId: last } } });
  });

  it("resumes a live subscriber by its cursor across imported calls", async () => {
    const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>(
      "{ callEndedEvents { headCursor } }",
    );
    const before = sandbox.control.endCall({}).sessionId;
    await until(async () => sessionsOf(await logOf(gateway)).includes(before));
    seedEnds(sandbox, spread(40, days(7), days(6)), "between");
    expect(await importAll(gateway, days(7.5), days(5.5))).toMatchObject({ calls: 40 });
    const after = sandbox.control.endCall({}).sessionId;
    const query = "subscription($after: String) { callEnded(after: $after) { sessionId } }";
    await using live = await openSse(gateway.url, { query, variables: { after: data?.callEndedEvents.headCursor } });
    for (const sessionId of [before, after])
      expect(await live.next()).toMatchObject({ data: { callEnded: { sessionId } } });
  });

  it("is in the lists and statistics, which count the calls without a hang-up, and a list may leave it out", async () => {
    const { data } = await gateway.ask<{
      callStats: { calls: number; withoutHangup: number };
      callEndedEvents: { nodes: { source: string }[] };
    }>(`{ callStats { calls withoutHangup } callEndedEvents(first: 100, imported: false) { nodes { source } } }`);
    const newest = new Map((await logOf(gateway)).map((entry) => [entry.sessionId, entry.source]));
    const imported = [...newest.values()].filter((source) => source === "IMPORTED");
    expect(data?.callStats).toEqual({ calls: newest.size, withoutHangup: imported.length });
    expect(data?.callEndedEvents.nodes.map(({ source }) => source)).toEqual([
      "WEBHOOK",
      "WEBHOOK",
      "WEBHOOK",
      "WEBHOOK",
    ]);
  });

  it("is in the audit log", async () => {
    const { data } = await gateway.ask("{ auditEvents(first: 1) { nodes { action count subjectId } } }");
    expect(data?.["auditEvents"]).toMatchObject({ nodes: [{ action: "HISTORY_IMPORTED", count: 1, subjectId: null }] });
  });

  it("refuses a range that is empty, or that reconciliation covers", async () => {
    for (const [since, end] of [
      [days(1), days(2)],
      [Date.now() + DAY, null],
      [Date.now() - HOUR / 2, null],
    ] as const) {
      const { errors } = await start(gateway, since, end);
      expect(errors?.[0]?.extensions).toMatchObject({ code: "BAD_USER_INPUT" });
    }
    expect((await latest(gateway)).state).toBe("DONE");
  });
});

describe("a gateway whose log is empty", () => {
  const lacks = async ({ ask }: TestGateway) => (await ask("{ gateway { lacksHistory } }")).data?.["gateway"];

  it("says at its start that calls can be imported, and no longer after an import", async () => {
    await using sandbox = await emptySandbox();
    await using gateway = await startGateway(sandbox, FAST);
    expect(await gateway.line(({ msg }) => String(msg).includes("switchboard import --since DAY"))).toBeDefined();
    expect(await lacks(gateway)).toEqual({ lacksHistory: true });
    // One that added nothing fills nothing.
    sandbox.control.addFault({ match: { path: "/openapi/calllog" }, kind: "status", status: 403 });
    expect(await importAll(gateway, days(3))).toMatchObject({ state: "FAILED", calls: 0 });
    expect(await lacks(gateway)).toEqual({ lacksHistory: true });
    sandbox.control.clearFaults();
    expect(await importAll(gateway, days(3))).toMatchObject({ state: "DONE", calls: 0 });
    expect(await lacks(gateway)).toEqual({ lacksHistory: false });
  });
});
