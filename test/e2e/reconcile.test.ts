import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { silentLog } from "../support/silentLog.ts";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { openStore } from "../../src/store/store.ts";
import { EACH_SECOND, endCall, eventOf, FIELDS, searches, type CallEnded } from "../reconcile/endToEnd.ts";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { openSse, type Stream, type StreamResult } from "../support/streams.ts";
import { until } from "../support/until.ts";

type CallStream = Stream<StreamResult<{ callEnded: CallEnded }>>;

const HOUR = 3_600_000;

async function subscribe(gateway: TestGateway, revisions: boolean): Promise<CallStream> {
  const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>("{ callEndedEvents { headCursor } }");
  const query = `subscription($after: String, $revisions: Boolean!) {
    callEnded(after: $after, revisions: $revisions) { ${FIELDS} } }`;
  return openSse(gateway.url, { query, variables: { after: data?.callEndedEvents.headCursor, revisions } });
}

/** The events up to the first one of that session. */
async function readThrough(stream: CallStream, sessionId: string): Promise<CallEnded[]> {
  const events: CallEnded[] = [];
  while (events.at(-1)?.sessionId !== sessionId) {
    const { data, errors } = await stream.next();
    expect(errors).toBeUndefined();
    events.push((data as { callEnded: CallEnded }).callEnded);
  }
  return events;
}

describe("a gateway whose service loses and delays webhooks", () => {
  let sandbox: Sandbox;
  let gateway: TestGateway;
  beforeAll(async () => {
    sandbox = await emptySandbox();
    gateway = await startGateway(sandbox, EACH_SECOND);
    connectSandbox(sandbox, gateway);
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });

  it("delivers every ended call exactly once, with its source", async () => {
    await using plain = await subscribe(gateway, false);
    await using whole = await subscribe(gateway, true);
    sandbox.control.clearRequests();
    const begun = performance.now();
    // The gateway finds these first, however slow it is. Their webhooks follow.
    sandbox.control.setWebhookFaults({ reorder: 1000 });
    const delayed = Array.from({ length: 10 }, () => endCall(sandbox));
    await until(async () => (await Promise.all(delayed.map((id) => eventOf(gateway, id)))).every(Boolean));
    sandbox.control.resetWebhookFaults();
    const ended = [...delayed];
    for (let count = 0; count < 200; count += 1) {
      const isDelayed = count % 10 === 0;
      sandbox.control.setWebhookFaults(isDelayed ? { delayMs: 4000, lose: 0 } : { delayMs: 0, lose: 0.35 });
      const sessionId = endCall(sandbox, { ringTime: 1, talkTime: count % 60 });
      if (isDelayed) delayed.push(sessionId);
      ended.push(sessionId);
      // Spreads the calls over several searches.
      if (count % 20 === 19) await until(() => eventOf(gateway, sessionId));
    }
    sandbox.control.resetWebhookFaults();
    await until(async () => (await Promise.all(ended.map((id) => eventOf(gateway, id)))).every(Boolean));
    const accepted = () => sandbox.control.webhooks().filter(({ status }) => status === 200);
    await until(() => delayed.every((id) => accepted().some(({ sessionId }) => sessionId === id)));
    const last = endCall(sandbox);
    const [once, all] = [await readThrough(plain, last), await readThrough(whole, last)];
    expect(once.length).toBe(211);
    expect(new Set(once.map(({ sessionId }) => sessionId))).toEqual(new Set([...ended, last]));

    const delivered = new Set(accepted().map(({ sessionId }) => sessionId));
    const lost = ended.filter((sessionId) => !delivered.has(sessionId));
    expect(lost.length).toBeGreaterThan(30);
    const sourceOf = new Map(once.map(({ sessionId, source }) => [sessionId, source]));
    expect(lost.filter((sessionId) => sourceOf.get(sessionId) !== "RECONCILED")).toEqual([]);

    const late = all.filter(({ revision }) => revision > 1);
    expect(late.length).toBeGreaterThanOrEqual(10);
    expect(late.filter(({ source, hangupReason }) => source !== "WEBHOOK" || hangupReason === null)).toEqual([]);
    expect(late.filter(({ sessionId }) => sourceOf.get(sessionId) !== "RECONCILED")).toEqual([]);
    expect(all.length).toBe(once.length + late.length);

    // 200 calls are two pages, and a range that changed is read again.
    const seconds = (performance.now() - begun) / 1000;
    expect(searches(sandbox).length).toBeLessThanOrEqual((seconds + 2) * 6);
    expect(searches(sandbox).every(({ query }) => /startTime=.*endTime=.*pageSize=100$/.test(query))).toBe(true);
  });

  it("delivers the revision of a late webhook only to subscribers with revisions: true", async () => {
    await using plain = await subscribe(gateway, false);
    await using whole = await subscribe(gateway, true);
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

  it("delivers an open call when it ends, and no row without a session ID", async () => {
    await using plain = await subscribe(gateway, false);
    const startAt = Date.now() - 60_000;
    sandbox.control.seed({
      calls: [
        { startAt, omit: ["sessionId"] },
        { sessionId: "open", startAt, endAt: null },
      ],
    });
    sandbox.control.clearRequests();
    await until(() => searches(sandbox).length > 1);
    expect(await eventOf(gateway, "open")).toBeNull();
    sandbox.control.seed({ calls: [{ sessionId: "open", startAt, endAt: Date.now() }] });
    expect(await readThrough(plain, "open")).toMatchObject([{ source: "RECONCILED" }]);
  });

  it("delivers calls that ended during an outage of the service", async () => {
    sandbox.control.addFault({ match: { path: "/openapi/calllog" }, kind: "status", status: 503 });
    const sessionId = endCall(sandbox, { webhook: false });
    sandbox.control.clearRequests();
    await until(() => searches(sandbox).length > 1);
    expect(await eventOf(gateway, sessionId)).toBeNull();
    sandbox.control.clearFaults();
    expect(await until(() => eventOf(gateway, sessionId))).toMatchObject({ source: "RECONCILED" });
  });
});

describe("a gateway that was down for hours", () => {
  it("searches the whole outage at its next start", async () => {
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
    // It ended before the last search and its lookback, so it was found then.
    expect(await eventOf(gateway, "7 h ago")).toBeNull();
  });
});
