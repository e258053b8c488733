// Rules on recordings that could not be stored.
import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { MINUTE_MS } from "../../src/util/durations.ts";
import { callEnded, NOW } from "../events/callEnded.ts";
import { callEndedEvent } from "../support/events.ts";
import { databases, postgres } from "../store/databases.ts";
import { NO_SERVICE, startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { minute, rulesOf } from "./judging.ts";
import { rulesFile } from "./ofGateway.ts";

const { gatewayOn, start, all, TIMES } = alertSetup;
type Gateway = Awaited<ReturnType<typeof gatewayOn>>;

const READER = "alerts of recordings";
const lostRule = (own: object = {}) => ({
  name: "lost",
  kind: "recordingsLost",
  window: { minutes: 60 },
  coolDownMinutes: 10,
  ...own,
});
const content = { sha256: "a".repeat(64), contentType: "audio/wav", bytes: 3 };

/** Settles the recording of a call of task 7, so many minutes after NOW. */
async function settle({ store, events }: Gateway, sessionId: string, at: number, own: object = {}) {
  const { isLost = true, revision = 1, ...call } = own as { isLost?: boolean; revision?: number };
  if (revision === 1) await events.append(callEnded({ sessionId, ...call }), "WEBHOOK");
  const url = `https://files.example/${sessionId}/${revision}`;
  await store.recordings.add([{ sessionId, revision, receivedAt: instantOf(NOW), url, refusal: null }]);
  const [job] = await store.recordings.claim("me", 1, MINUTE_MS);
  if (!job) throw new Error("No recording is due.");
  const lost = { status: "LOST", failure: "gone", lostAt: minute(at) } as const;
  const archived = { status: "ARCHIVED", ...content, archivedAt: minute(at) } as const;
  await store.recordings.settle("me", job, isLost ? lost : archived);
}

const isReading = ({ store }: Gateway) => until(async () => (await store.readers.readCursor(READER)) !== null);
const isRead = ({ store }: Gateway) =>
  until(async () => Number(await store.readers.readCursor(READER)) === (await store.recordings.settledHead()));

describe.each(databases)("A rule on lost recordings on %s", (_, { create }) => {
  const watched = async (...rules: object[]) => {
    const gateway = await gatewayOn((await create()).url);
    const own = await rulesOf(...rules);
    const running = start(gateway, own);
    await isReading(gateway);
    return { gateway, running, own };
  };

  it("is raised once with the recording that makes the number full, and is over when enough are stored", async () => {
    const { gateway } = await watched(lostRule({ atLeast: 2, window: { calls: 3 } }));
    await settle(gateway, "a", -30);
    await isRead(gateway);
    expect(await all(gateway)).toEqual([]);
    await settle(gateway, "b", -20);
    await until(async () => (await all(gateway)).length > 0);
    const raised = { rule: "lost", subject: "task 7", raisedAt: minute(-20), value: 2, threshold: 2, calls: 2 };
    expect(await all(gateway)).toMatchObject([{ ...raised, kind: "recordingsLost", resolvedAt: null }]);
    await settle(gateway, "c", -19);
    for (const [sessionId, at] of [["d", -8] as const, ["e", -7] as const])
      await settle(gateway, sessionId, at, { isLost: false });
    await until(async () => (await all(gateway))[0]?.resolvedAt);
    expect(await all(gateway)).toMatchObject([{ ...raised, resolvedAt: minute(-7), ending: "RECOVERED" }]);
    expect((await gateway.store.alerts.noticesAfter(0, 10)).map(({ kind }) => kind)).toEqual(["RAISED", "RESOLVED"]);
  });

  it("on a share says nothing of too few recordings, and counts recordings that settled before a restart", async () => {
    const { gateway, running, own } = await watched(lostRule({ above: 0.5, minCalls: 4 }));
    for (const sessionId of ["a", "b", "c"]) await settle(gateway, sessionId, -30);
    await isRead(gateway);
    await running.stop();
    await settle(gateway, "d", -29, { isLost: false });
    start(gateway, own);
    await until(async () => (await all(gateway)).length > 0);
    expect(await all(gateway)).toMatchObject([{ value: 0.75, threshold: 0.5, calls: 4, raisedAt: minute(-29) }]);
  });

  // https://github.com/prometheus/alertmanager/issues/2814
  it("counts a recording that is stored by a further link as stored, and not as lost and stored", async () => {
    const { gateway } = await watched(lostRule({ atLeast: 2 }), lostRule({ name: "third", above: 0.4, minCalls: 3 }));
    await settle(gateway, "a", -30);
    await settle(gateway, "a", -29, { isLost: false, revision: 2 });
    await settle(gateway, "b", -28, { isLost: false });
    await settle(gateway, "c", -27);
    await isRead(gateway);
    expect(await all(gateway)).toEqual([]);
  });

  it("does not count recordings of before, of inbound calls and of calls that are not in the log", async () => {
    const gateway = await gatewayOn((await create()).url);
    await settle(gateway, "before", -40);
    start(gateway, await rulesOf(lostRule({ atLeast: 1, of: "all" })));
    await isReading(gateway);
    await settle(gateway, "inbound", -30, { direction: "inbound" });
    await settle(gateway, "unknown", -29, { revision: 2 });
    await isRead(gateway);
    expect(await all(gateway)).toEqual([]);
    await settle(gateway, "counted", -28);
    await until(async () => (await all(gateway)).length > 0);
    expect(await all(gateway)).toMatchObject([{ subject: "all", raisedAt: minute(-28), calls: 1 }]);
  });

  it("keeps its recordings and its open alert where the log of calls is read again", async () => {
    const { gateway, running, own } = await watched(lostRule({ atLeast: 1 }));
    await settle(gateway, "a", -30);
    await until(async () => (await all(gateway)).length > 0);
    await running.stop();
    await gateway.store.readers.advance("alerts", "zzz, a cursor of another log");
    const again = start(gateway, own);
    await gateway.events.append(callEnded({ sessionId: "z" }), "WEBHOOK");
    const looks = again.looks();
    await until(() => again.looks() >= looks + 6);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(-30), resolvedAt: null }]);
  });
});

it("Two gateways raise an alert on lost recordings once", async () => {
  const { url } = await postgres.create();
  const [one, other] = [await gatewayOn(url), await gatewayOn(url)];
  const rules = await rulesOf(lostRule({ atLeast: 3 }));
  const first = start(one, rules);
  start(other, rules);
  await isReading(one);
  await settle(one, "a", -30);
  await isRead(one);
  await first.stop();
  await settle(other, "b", -29);
  await settle(other, "c", -28);
  await until(async () => (await all(one)).length > 0);
  expect(await all(one)).toMatchObject([{ value: 3, raisedAt: minute(-28) }]);
  expect(await one.store.alerts.noticesAfter(0, 10)).toHaveLength(1);
});

it("A gateway whose RECORDING_HOSTS lacks a host says so by an alert on lost recordings", async () => {
  const { env } = rulesFile(lostRule({ atLeast: 2 }));
  await using gateway = await startGateway(NO_SERVICE, env, { alertTimes: TIMES });
  const query = "{ alerts(first: 5) { nodes { kind text text_zh: text(language: ZH) unit value threshold } } }";
  const nodes = await until(async () => {
    await gateway.deliver(callEndedEvent({ record_url: "https://elsewhere.example/1.wav" }));
    const { data } = await gateway.ask<{ alerts: { nodes: { text: string }[] } }>(query);
    return (data?.alerts.nodes.length ?? 0) > 0 && data?.alerts.nodes;
  });
  expect(nodes).toMatchObject([{ kind: "RECORDINGS_LOST", unit: "COUNT", value: 2, threshold: 2 }]);
  expect(nodes[0]).toMatchObject({
    text: "Of the recordings of task 7, 2 could not be stored, the limit is 2: the 2 recordings of the last 60 minutes.",
    text_zh: "任务 7 的录音中 2 未能保存，限值为 2（最近 60 分钟的 2 条录音）。",
  });
});
