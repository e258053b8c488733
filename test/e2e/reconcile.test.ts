import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { silentLog } from "../support/silentLog.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { openStore } from "../../src/store/store.ts";
import { EACH_SECOND, endCall, eventOf, FIELDS, searches, type CallEnded } from "../reconcile/endToEnd.ts";
import { connect, emptySandbox } from "../support/emptySandbox.ts";
import { startGateway, temporaryDirectory, type GatewayProgram } from "../support/gateway.ts";
import { openSse, type Stream, type StreamResult } from "../support/streams.ts";
import { until } from "../support/until.ts";

type Told = Stream<StreamResult<{ callEnded: CallEnded }>>;

const HOUR = 3_600_000;

async function listen(gateway: GatewayProgram, revisions: boolean): Promise<Told> {
  const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>("{ callEndedEvents { headCursor } }");
  const query = `subscription($after: String, $revisions: Boolean!) {
    callEnded(after: $after, revisions: $revisions) { ${FIELDS} } }`;
  return openSse(gateway.url, { query, variables: { after: data?.callEndedEvents.headCursor, revisions } });
}

/** What was told up to that session's first event, and it. */
async function readThrough(told: Told, sessionId: string): Promise<CallEnded[]> {
  const events: CallEnded[] = [];
  while (events.at(-1)?.sessionId !== sessionId) {
    const { data, errors } = await told.next();
    expect(errors).toBeUndefined();
    events.push((data as { callEnded: CallEnded }).callEnded);
  }
  return events;
}

describe("a service that loses and delays its webhooks", () => {
  let sandbox: Sandbox;
  let gateway: GatewayProgram;
  beforeAll(async () => {
    sandbox = await emptySandbox();
    gateway = await startGateway(sandbox, EACH_SECOND);
    connect(sandbox, gateway);
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });

  it("loses 30 % and delays 10 %: every ended call is told exactly once, and who told it is marked", async () => {
    await using plain = await listen(gateway, false);
    await using whole = await listen(gateway, true);
    sandbox.control.clearRequests();
    const begun = performance.now();
    const ended: string[] = [];
    for (let count = 0; count < 200; count += 1) {
      sandbox.control.setWebhookFaults({ lose: 0.3, delayMs: count % 10 === 0 ? 4000 : 0 });
      ended.push(endCall(sandbox, { ringTime: 1, talkTime: count % 60 }));
      if (count % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    sandbox.control.resetWebhookFaults();
    await until(async () => (await Promise.all(ended.map((id) => eventOf(gateway, id)))).every(Boolean));
    // The delayed ones come after the search that told them.
    await new Promise((resolve) => setTimeout(resolve, 4000));
    const last = endCall(sandbox);
    const [once, all] = [await readThrough(plain, last), await readThrough(whole, last)];
    expect(once.length).toBe(201);
    expect(new Set(once.map(({ sessionId }) => sessionId))).toEqual(new Set([...ended, last]));

    const delivered = new Set(sandbox.control.webhooks().map(({ sessionId }) => sessionId));
    const lost = ended.filter((sessionId) => !delivered.has(sessionId));
    expect(lost.length).toBeGreaterThan(30);
    const sourceOf = new Map(once.map(({ sessionId, source }) => [sessionId, source]));
    expect(lost.filter((sessionId) => sourceOf.get(sessionId) !== "RECONCILED")).toEqual([]);

    const late = all.filter(({ revision }) => revision > 1);
    expect(late.length).toBeGreaterThan(5);
    expect(late.filter(({ source, hangupReason }) => source !== "WEBHOOK" || hangupReason === null)).toEqual([]);
    expect(late.filter(({ sessionId }) => sourceOf.get(sessionId) !== "RECONCILED")).toEqual([]);
    expect(all.length).toBe(once.length + late.length);

    // 200 calls are two pages; a page that moved may be read again.
    const seconds = (performance.now() - begun) / 1000;
    expect(searches(sandbox).length).toBeLessThanOrEqual((seconds + 2) * 6);
    expect(searches(sandbox).every(({ query }) => /startTime=.*endTime=.*pageSize=100$/.test(query))).toBe(true);
  });

  it("a late webhook adds a revision: told again to whoever asks for revisions, and to nobody else", async () => {
    await using plain = await listen(gateway, false);
    await using whole = await listen(gateway, true);
    const sessionId = endCall(sandbox, { webhook: false });
    await until(() => eventOf(gateway, sessionId));
    expect(await eventOf(gateway, sessionId)).toMatchObject({ source: "RECONCILED", revision: 1, hangupReason: null });
    endCall(sandbox, { sessionId });
    await until(async () => (await eventOf(gateway, sessionId))?.source === "WEBHOOK");
    const next = endCall(sandbox);
    expect((await readThrough(plain, next)).map((event) => event.sessionId)).toEqual([sessionId, next]);
    expect(await readThrough(whole, next)).toMatchObject([
      { sessionId, source: "RECONCILED", revision: 1 },
      { sessionId, source: "WEBHOOK", revision: 2, hangupReason: "normal" },
      { sessionId: next },
    ]);
  });

  it("a call is told when it ends, and a row without a session id never", async () => {
    await using plain = await listen(gateway, false);
    const startAt = Date.now() - 60_000;
    sandbox.control.seed({
      calls: [
        { startAt, omit: ["sessionId"] },
        { sessionId: "going on", startAt, endAt: null },
      ],
    });
    sandbox.control.clearRequests();
    await until(() => searches(sandbox).length > 1);
    expect(await eventOf(gateway, "going on")).toBeNull();
    sandbox.control.seed({ calls: [{ sessionId: "going on", startAt, endAt: Date.now() }] });
    expect(await readThrough(plain, "going on")).toMatchObject([{ source: "RECONCILED" }]);
  });

  it("and fails for a while: what ended meanwhile is told once it answers", async () => {
    sandbox.control.addFault({ match: { path: "/openapi/calllog" }, kind: "status", status: 503 });
    const sessionId = endCall(sandbox, { webhook: false });
    sandbox.control.clearRequests();
    await until(() => searches(sandbox).length > 1);
    expect(await eventOf(gateway, sessionId)).toBeNull();
    sandbox.control.clearFaults();
    expect(await until(() => eventOf(gateway, sessionId))).toMatchObject({ source: "RECONCILED" });
  });
});

describe("webhooks that were lost while the gateway was down", () => {
  it("for hours: all of it is searched at the next start, from before the end of the last search", async () => {
    await using sandbox = await emptySandbox();
    await using directory = await temporaryDirectory();
    const env = { ...EACH_SECOND, DATABASE_URL: directory.database };
    const ago = (hours: number) => Date.now() - hours * HOUR;
    {
      await using store = await openStore({ url: directory.database, log: silentLog });
      const end = instantOf(ago(5));
      await store.openCalls.saveSearchState({ searchedThrough: end, lastSearch: end });
    }
    const calls = [4.5, 3, 0.2, 7].map((hours) => ({ sessionId: `${hours} h ago`, startAt: ago(hours) }));
    sandbox.control.seed({ calls });
    await using gateway = await startGateway(sandbox, env);
    await until(() => eventOf(gateway, "0.2 h ago"));
    expect(await eventOf(gateway, "4.5 h ago")).toMatchObject({ source: "RECONCILED" });
    expect(await eventOf(gateway, "3 h ago")).toMatchObject({ source: "RECONCILED" });
    // Before the end of the last search and its lookback: it was looked for then.
    expect(await eventOf(gateway, "7 h ago")).toBeNull();
  });
});
