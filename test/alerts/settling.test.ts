// When open alerts end without a call that decides: by the time, by their rules, and with the log.
import { describe, expect, it, onTestFinished } from "vitest";
import { endAlerts } from "../../src/alerts/startAlerts.ts";
import { instantOf } from "../../src/format/instant.ts";
import { HOUR_MS } from "../../src/util/durations.ts";
import { createSignal } from "../../src/util/signal.ts";
import { callEnded, NOW, signer } from "../events/callEnded.ts";
import { databases, postgres, sqlite } from "../store/databases.ts";
import { silentLog } from "../support/silentLog.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { answerRate, rulesOf } from "./judging.ts";

const { gatewayOn, start, missed, all } = alertSetup;
type Gateway = Awaited<ReturnType<typeof gatewayOn>>;

/** A gateway that has raised an alert on task 7, and what evaluates its rules. */
async function raised(url: string) {
  const gateway = await gatewayOn(url);
  const running = start(gateway, await rulesOf(answerRate()));
  await until(async () => (await gateway.store.readers.readCursor("alerts")) !== null);
  await missed(gateway.events, "a", "b", "c", "d");
  await until(async () => (await all(gateway)).length === 1);
  return { gateway, running };
}

function endWithoutFile({ store: { alerts, leases } }: Gateway) {
  const told = createSignal();
  const shared = { store: alerts, leases, signer, told, log: silentLog, clock: () => NOW };
  const ending = endAlerts({ ...shared, settleMs: 5 });
  onTestFinished(() => Promise.resolve(ending[Symbol.asyncDispose]()));
}

const looked = async ({ looks }: { looks(): number }) => {
  const before = looks();
  await until(() => looks() >= before + 3);
};

describe.each(databases)("Open alerts on %s", (_, { create }) => {
  const url = async () => (await create()).url;

  it("do not end by the clock before the calls that wait in the log are taken", async () => {
    const { gateway, running } = await raised(await url());
    await running.stop();
    await gateway.events.append(
      callEnded({ sessionId: "e", answerAt: null, billsec: 0, endAt: instantOf(NOW) }),
      "WEBHOOK",
    );
    const now = NOW + 26 * HOUR_MS;
    const rules = await rulesOf(answerRate());
    const stuck = start(gateway, rules, { now, isStuck: true });
    await looked(stuck);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: null }]);
    await stuck.stop();
    start(gateway, rules, { now });
    await until(async () => (await all(gateway))[0]?.resolvedAt);
    expect(await all(gateway)).toMatchObject([{ ending: "NO_CALLS", resolvedAt: instantOf(NOW + 24 * HOUR_MS) }]);
  });

  it("end where ALERTS_FILE is no longer set, once nobody evaluates them any more", async () => {
    const { gateway, running } = await raised(await url());
    await running.stop();
    endWithoutFile(gateway);
    await until(async () => (await all(gateway))[0]?.resolvedAt);
    expect(await all(gateway)).toMatchObject([{ ending: "RULE_CHANGED" }]);
    expect((await gateway.store.alerts.noticesAfter(0, 10)).map(({ kind }) => kind)).toEqual(["RAISED", "RESOLVED"]);
  });

  it("end where the log is read from its beginning and does not raise them again", async () => {
    const { gateway, running } = await raised(await url());
    await running.stop();
    await gateway.store.readers.advance("alerts", "zzz, a cursor of another log");
    start(gateway, await rulesOf(answerRate({ window: { calls: 6 }, minCalls: 6 })));
    await until(async () => (await all(gateway))[0]?.resolvedAt);
    expect(await all(gateway)).toMatchObject([{ ending: "RULE_CHANGED" }]);
  });
});

it("A gateway with other rules leaves open alerts alone while another one evaluates", async () => {
  const { url } = await postgres.create();
  const { gateway, running } = await raised(url);
  const other = await gatewayOn(url);
  const waiting = start(other, []);
  endWithoutFile(other);
  await looked(running);
  expect(waiting.looks()).toBe(0);
  expect(await all(gateway)).toMatchObject([{ resolvedAt: null }]);
  await running.stop();
  await until(async () => (await all(gateway))[0]?.resolvedAt);
  expect(await all(gateway)).toMatchObject([{ ending: "RULE_CHANGED" }]);
});

it("Many rules take a long log in transactions of a few calls each, and lose none", async () => {
  const { gateway, running } = await raised((await sqlite.create()).url);
  await running.stop();
  const names = Array.from({ length: 33 }, (_, at) => `call ${at}`);
  await missed(gateway.events, ...names);
  const window = { calls: 100 };
  const many = Array.from({ length: 100 }, (_, at) => answerRate({ name: `rule-${at}`, window, minCalls: 33 }));
  const { sizes } = start(gateway, await rulesOf(...many));
  await until(async () => (await gateway.store.alerts.openCounts()).size === 100);
  expect(Math.max(...sizes)).toBe(5);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(33);
});
