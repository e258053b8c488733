// What alerts keep to on both databases.
import { describe, expect, it, onTestFinished } from "vitest";
import type { AlertRule } from "../../src/alerts/alertFile.ts";
import { createAlertService } from "../../src/alerts/alertService.ts";
import { noAlertObserver } from "../../src/alerts/alertObserver.ts";
import { placeAlerts, startAlerts } from "../../src/alerts/startAlerts.ts";
import type { FindConditions } from "../../src/alerts/conditions.ts";
import type { EventLog } from "../../src/events/eventLog.ts";
import type { AlertStore } from "../../src/store/alerts/alertStore.ts";
import type { Store } from "../../src/store/store.ts";
import { instantOf } from "../../src/format/instant.ts";
import { MINUTE_MS } from "../../src/util/durations.ts";
import { createSignal } from "../../src/util/signal.ts";
import { callEnded, logOver, NOW, signer } from "../events/callEnded.ts";
import type { DatabaseUnderTest } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { silentLog } from "../support/silentLog.ts";
import { until } from "../support/until.ts";
import { answerRate, rulesOf } from "./judging.ts";

const TIMES = {
  reader: { leaseRetryMs: 5, retryDelaysMs: [2, 5], saveIntervalMs: 0, pauseMs: 1 },
  settleMs: 5,
} as const;

interface Gateway {
  store: Store;
  events: EventLog;
}

/** Another gateway of the same database has its own log and leases. */
async function gatewayOn(url: string, clock = () => NOW): Promise<Gateway> {
  const store = await tempStore(url);
  const events = await logOver(store.events, { clock });
  const hearing = store.onNotify((through) => void events.refresh(through));
  onTestFinished(() => hearing[Symbol.asyncDispose]());
  return { store, events };
}

interface Own {
  now?: number;
  /** In place of `now`. */
  clock?: () => number;
  /** The store fails to take calls. */
  isStuck?: boolean;
  conditions?: readonly FindConditions[];
}

function start(
  { store, events }: Gateway,
  rules: readonly AlertRule[],
  { now = NOW, clock = () => now, isStuck = false, conditions = [] }: Own = {},
) {
  const told = createSignal();
  const { readers, leases, recordings } = store;
  let looks = 0;
  const sizes: number[] = [];
  const alerts: AlertStore = {
    ...store.alerts,
    async add(reader, entries, judge) {
      if (isStuck) throw new Error("The store is away.");
      sizes.push(entries.length);
      return store.alerts.add(reader, entries, judge);
    },
    async settle(...asked) {
      const notices = await store.alerts.settle(...asked);
      looks += 1;
      return notices;
    },
  };
  const shared = { store: alerts, told, log: silentLog };
  const placed = placeAlerts({ events, recordings, readers });
  const running = placed.then(() =>
    startAlerts({
      ...shared,
      events,
      recordings,
      conditions,
      readers,
      leases,
      rules: () => rules,
      signer,
      clock,
      observer: noAlertObserver,
      readerObserver: undefined,
      times: TIMES,
    }),
  );
  const stop = async () => (await running)[Symbol.asyncDispose]();
  onTestFinished(stop);
  return { stop, looks: () => looks, sizes, service: createAlertService({ ...shared, rules: async () => [] }) };
}

/** Calls of task 7 that nobody answered. */
async function missed(events: EventLog, ...names: string[]): Promise<void> {
  for (const sessionId of names)
    await events.append(
      callEnded({ sessionId, answerAt: null, billsec: 0, endAt: instantOf(NOW - MINUTE_MS) }),
      "WEBHOOK",
    );
}

const all = ({ store }: Gateway) => store.alerts.page({}, { after: null, limit: 100 });
const by = { actor: "web", at: instantOf(NOW) };

export const alertSetup = { gatewayOn, start, missed, all, TIMES };

export function alertContract({ name, create }: DatabaseUnderTest): void {
  const opened = async () => gatewayOn((await create()).url);
  const isReading = ({ store }: Gateway) => until(async () => (await store.readers.readCursor("alerts")) !== null);

  describe(`Alerts on ${name}`, () => {
    it("begin with the calls that end from then on, and are raised once", async () => {
      const gateway = await opened();
      await missed(gateway.events, "a", "b", "c");
      start(gateway, await rulesOf(answerRate()));
      await isReading(gateway);
      await missed(gateway.events, "d", "e", "f");
      await missed(gateway.events, "g", "h");
      const [alert] = await until(async () => (await all(gateway)).length > 0 && all(gateway));
      expect(alert).toMatchObject({
        rule: "answers",
        kind: "answerRate",
        subject: "task 7",
        taskId: "7",
        raisedAt: instantOf(NOW - MINUTE_MS),
        value: 0,
        calls: 4,
        resolvedAt: null,
      });
      expect(await gateway.store.alerts.openCounts()).toEqual(new Map([["answers", 1]]));
    });

    // https://github.com/YelpArchive/elastalert/issues/704
    it("keep the calls that they have counted over a restart", async () => {
      const gateway = await opened();
      const rules = await rulesOf(answerRate());
      const first = start(gateway, rules);
      await isReading(gateway);
      await missed(gateway.events, "a", "b");
      const head = gateway.events.markHead()();
      await until(async () => ((await gateway.store.readers.readCursor("alerts")) ?? "") >= head);
      await first.stop();
      await missed(gateway.events, "c", "d");
      start(gateway, rules);
      await until(async () => (await all(gateway)).length > 0);
      expect(await all(gateway)).toMatchObject([{ calls: 4 }]);
    });

    it("are told to subscribers once, with their ends", async () => {
      const gateway = await opened();
      const { service } = start(gateway, await rulesOf(answerRate({ coolDownMinutes: 1 })));
      const notices = await service.follow(null);
      onTestFinished(async () => void (await notices?.return?.()));
      const first = notices?.next();
      await isReading(gateway);
      await missed(gateway.events, "a", "b", "c", "d");
      expect(await first).toMatchObject({ value: { kind: "RAISED", alert: { rule: "answers" } } });
      for (const sessionId of ["e", "f", "g"])
        await gateway.events.append(callEnded({ sessionId, endAt: instantOf(NOW) }), "WEBHOOK");
      expect(await notices?.next()).toMatchObject({
        value: { kind: "RESOLVED", alert: { resolvedAt: instantOf(NOW) } },
      });
    });

    it("are acknowledged by the first viewer, with an entry in the audit log", async () => {
      const gateway = await opened();
      start(gateway, await rulesOf(answerRate()));
      await isReading(gateway);
      await missed(gateway.events, "a", "b", "c", "d");
      const [alert] = await until(async () => (await all(gateway)).length > 0 && all(gateway));
      const id = alert?.id ?? 0;
      const acknowledged = { id, acknowledgedBy: "web", acknowledgedAt: by.at };
      expect(await gateway.store.alerts.acknowledge(id, by)).toMatchObject(acknowledged);
      expect(await gateway.store.alerts.acknowledge(id, { ...by, actor: "other" })).toMatchObject(acknowledged);
      expect(await gateway.store.alerts.acknowledge(id + 1, by)).toBeNull();
      expect(await gateway.store.audit.page({ after: null, limit: 10 })).toMatchObject([
        { action: "ALERT_ACKNOWLEDGED", actor: "web", subject: String(id) },
      ]);
    });

    it("are over when their rule is taken out of the file", async () => {
      const gateway = await opened();
      const first = start(gateway, await rulesOf(answerRate()));
      await isReading(gateway);
      await missed(gateway.events, "a", "b", "c", "d");
      await until(async () => (await all(gateway)).length === 1);
      await first.stop();
      start(gateway, []);
      await until(async () => (await all(gateway))[0]?.resolvedAt);
      expect(await all(gateway)).toMatchObject([{ ending: "RULE_CHANGED" }]);
    });

    it("are found by task, assistant and state, and deleted when they are old", async () => {
      const gateway = await opened();
      start(
        gateway,
        await rulesOf(answerRate({ coolDownMinutes: 1 }), answerRate({ name: "agents", of: "assistant" })),
      );
      await isReading(gateway);
      await missed(gateway.events, "a", "b", "c", "d");
      for (const sessionId of ["e", "f", "g"])
        await gateway.events.append(callEnded({ sessionId, endAt: instantOf(NOW) }), "WEBHOOK");
      await until(async () => (await all(gateway)).some(({ resolvedAt }) => resolvedAt !== null));
      const found = async (filter: object) =>
        (await gateway.store.alerts.page(filter, { after: null, limit: 100 })).map(({ rule }) => rule);
      expect(await found({ taskIds: ["7"] })).toEqual(["answers"]);
      expect(await found({ assistantIds: ["1"] })).toEqual(["agents"]);
      expect(await found({ taskIds: [] })).toEqual([]);
      expect(await found({ open: true })).toEqual(["agents"]);
      expect(await found({ open: false })).toEqual(["answers"]);
      expect(await gateway.store.alerts.purge(instantOf(NOW), 10)).toBe(0);
      expect(await gateway.store.alerts.purge(instantOf(NOW + 1), 10)).toBe(1);
      expect(await found({})).toEqual(["agents"]);
    });
  });
}

/** On a database that gateways share. */
export function sharedAlertContract({ create }: DatabaseUnderTest): void {
  // https://github.com/grafana/grafana/issues/53990
  it("Two gateways raise each alert once, also where one dies on the way", async () => {
    const { url } = await create();
    const [one, other] = [await gatewayOn(url), await gatewayOn(url)];
    const rules = await rulesOf(answerRate({ coolDownMinutes: 1 }), answerRate({ name: "all", of: "all" }));
    const first = start(one, rules);
    start(other, rules);
    await until(async () => (await one.store.readers.readCursor("alerts")) !== null);
    await missed(one.events, "a", "b");
    await missed(other.events, "c");
    await first.stop();
    await missed(other.events, "d", "e");
    await until(async () => (await all(other)).length === 2);
    expect((await all(one)).map(({ rule }) => rule).toSorted()).toEqual(["all", "answers"]);
    expect((await one.store.alerts.noticesAfter(0, 10)).map(({ kind }) => kind)).toEqual(["RAISED", "RAISED"]);
  });
}
