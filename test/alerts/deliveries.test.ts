// How messages about alerts are sent again, with a receiver that a test answers for.
import { expect, it, onTestFinished } from "vitest";
import { startAlertDeliveries, type AlertDeliveriesDeps } from "../../src/destinations/alerts/alertDeliveries.ts";
import type { Attempt } from "../../src/destinations/deliverer.ts";
import { noDestinationObserver } from "../../src/destinations/observer.ts";
import { ALERT_RETRIES, retryDelayMs } from "../../src/destinations/retries.ts";
import type { Store } from "../../src/store/store.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/util/durations.ts";
import { createSignal } from "../../src/util/signal.ts";
import { tempStore } from "../store/tempStore.ts";
import { silentLog } from "../support/silentLog.ts";
import { until } from "../support/until.ts";

interface Notice {
  place: number;
  alert: number;
  destination: string | null;
}

const TAKEN: Attempt = { outcome: "taken", status: 204 };
const failed = (status: number): Attempt => ({
  outcome: "failed",
  status,
  text: null,
  retryAfterMs: null,
  isOwn: false,
});
/** The raise and the end of alert 1, and the raise of alert 2. */
const NOTICES: Notice[] = [
  { place: 1, alert: 1, destination: null },
  { place: 2, alert: 1, destination: null },
  { place: 3, alert: 2, destination: null },
];

interface Asked {
  notices?: readonly Notice[];
  answer?: (notice: Notice, attempts: number) => Attempt;
  forMs?: number;
}

/** Delivers the notices, to a destination that is known since before the first one. */
async function deliveries(store: Store, { notices = NOTICES, answer = () => TAKEN, forMs = HOUR_MS }: Asked = {}) {
  const [taken, tried, lost]: [number[], number[], string[]] = [[], [], []];
  const receiver = {
    name: "on-call",
    text: "",
    getsCalls: false,
    deliver(notice: Notice) {
      tried.push(notice.place);
      const made = answer(notice, tried.filter((place) => place === notice.place).length);
      if (made.outcome === "taken") taken.push(notice.place);
      return Promise.resolve(made);
    },
  };
  const deps: AlertDeliveriesDeps<Notice> = {
    receivers: { current: () => [receiver], onChange: () => () => undefined },
    notices: {
      after: (after) => Promise.resolve(notices.filter(({ place }) => place > after)),
      head: () => Promise.resolve(0),
    },
    told: createSignal(),
    readers: store.readers,
    leases: store.leases,
    store: store.destinations,
    mask: (text) => text,
    clock: Date.now,
    observer: { ...noDestinationObserver, lost: (name) => void lost.push(name) },
    log: silentLog,
    retries: { delaysMs: [1], forMs, random: () => 0 },
    times: { pollMs: 5, leaseMs: 5 },
  };
  const running = startAlertDeliveries(deps);
  const stop = () => Promise.resolve(running[Symbol.asyncDispose]());
  onTestFinished(stop);
  const isDone = () => until(async () => Number(await store.readers.readCursor("alerts to on-call")) === 3);
  return { taken, tried, lost, stop, isDone };
}

it("A message that is not taken holds up the end of its alert, and no other alert", async () => {
  let isOther = false;
  const answer = ({ alert }: Notice) => {
    isOther ||= alert === 2;
    return isOther ? TAKEN : failed(503);
  };
  const { taken, lost, isDone } = await deliveries(await tempStore(), { answer });
  await isDone();
  expect(taken).toEqual([3, 1, 2]);
  expect(lost).toEqual([]);
});

it("A message that is refused five times is lost, and one that may come later is not", async () => {
  const answer = ({ alert }: Notice, attempts: number) =>
    alert === 1 ? failed(404) : attempts < 9 ? failed(429) : TAKEN;
  const { taken, tried, lost, isDone } = await deliveries(await tempStore(), { answer });
  await isDone();
  expect(taken).toEqual([3]);
  expect(tried.filter((place) => place === 1)).toHaveLength(5);
  expect(lost).toHaveLength(2);
});

it("A message that is not taken for too long is lost, and not sent again after a restart", async () => {
  const store = await tempStore();
  const first = await deliveries(store, { forMs: 0, answer: () => failed(503) });
  await first.isDone();
  await first.stop();
  expect(first.tried).toEqual([1, 2, 3]);
  expect(first.lost).toHaveLength(3);
  const second = await deliveries(store);
  await second.stop();
  expect(second.tried).toEqual([]);
});

// It would keep up the alert that it tells of: https://github.com/irrdnet/irrd/issues/518
it("A message about the destination itself says nothing of it when it is not taken, and another one does", async () => {
  const notices = (destination: string | null): Notice[] => NOTICES.map((notice) => ({ ...notice, destination }));
  const stateAfter = async (destination: string | null) => {
    const store = await tempStore();
    const { tried } = await deliveries(store, { notices: notices(destination), answer: () => failed(503) });
    await until(() => tried.length > 6);
    return store.destinations.read("on-call");
  };
  expect(await stateAfter("on-call")).toMatchObject({ failures: 0, failingSince: null, lastAnswer: null });
  for (const other of [null, "crm"])
    expect(await stateAfter(other)).toMatchObject({
      failingSince: expect.any(String) as string,
      lastAnswer: { status: 503 },
    });
});

it("A message about the destination itself is sent like the others, and ends that it fails", async () => {
  const own = NOTICES.map((notice) => ({ ...notice, destination: notice.alert === 2 ? "on-call" : null }));
  const store = await tempStore();
  let isBack = false;
  const answer = () => (isBack ? TAKEN : failed(503));
  const { taken, tried, isDone } = await deliveries(store, { notices: own, answer });
  await until(() => tried.includes(1) && tried.includes(3));
  isBack = true;
  await isDone();
  expect(new Set(taken)).toEqual(new Set([1, 2, 3]));
  expect(await store.destinations.read("on-call")).toMatchObject({ failures: 0, lastAnswer: { status: 204 } });
});

it("A restart sends what was not taken", async () => {
  const store = await tempStore();
  const first = await deliveries(store, { answer: ({ alert }) => (alert === 1 ? failed(503) : TAKEN) });
  await until(() => first.taken.length === 1 && first.tried.length > 2);
  await first.stop();
  const second = await deliveries(store);
  await second.isDone();
  expect(second.taken).toEqual([1, 2, 3]);
});

it("Nothing is sent while the destination is held, and everything afterwards", async () => {
  const store = await tempStore();
  const by = { actor: "admin", at: "2026-11-20T09:30:00.000Z" };
  await store.destinations.begin("on-call", null);
  await store.destinations.change("on-call", { state: "PAUSED", cursor: null }, by);
  const { taken, tried, isDone } = await deliveries(store);
  await until(() => store.readers.readCursor("alerts to on-call"));
  expect(tried).toEqual([]);
  await store.destinations.change("on-call", { state: "ACTIVE", cursor: null }, by);
  await isDone();
  expect(tried).toEqual(taken);
  expect(taken).toEqual([1, 2, 3]);
});

it("An alert is sent again at most five minutes apart, for two hours", () => {
  const latest = { ...ALERT_RETRIES, random: () => 1 };
  for (let failures = 1; failures < 100; failures += 1)
    expect(retryDelayMs(latest, failures, null)).toBeLessThanOrEqual(5 * MINUTE_MS);
  expect(ALERT_RETRIES.forMs).toBe(2 * HOUR_MS);
});
