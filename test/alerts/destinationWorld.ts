// Destinations whose attempts a test makes up, and the rules that watch them.
import { onTestFinished } from "vitest";
import type { AlertRule } from "../../src/alerts/alertFile.ts";
import { getsCalls, type AnyDestination } from "../../src/destinations/destinationFile.ts";
import { instantOf } from "../../src/format/instant.ts";
import { createDestinationConditions } from "../../src/gateway/watchedDestinations.ts";
import type { DestinationState } from "../../src/store/destinations/destinationStore.ts";
import { MINUTE_MS } from "../../src/util/durations.ts";
import { NOW } from "../events/callEnded.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";

const { gatewayOn, start, all } = alertSetup;
type Gateway = Awaited<ReturnType<typeof gatewayOn>>;

export const fails = (own: object = {}) => ({ name: "away", kind: "destinationFails", minutes: 15, ...own });

/** The rules do not look at anything else of it. */
export const defined = (name: string, own: { kind?: string; enabled?: boolean } = {}) =>
  ({ name, kind: "event", enabled: true, ...own }) as AnyDestination;

const by = { actor: "admin", at: instantOf(NOW) };

/** `file`: what DESTINATIONS_FILE has; a test changes it. */
export function destinationWorld(gateway: Gateway, file: AnyDestination[]) {
  const { destinations: store } = gateway.store;
  const clock = { now: NOW };
  const runOf = async (name: string) => {
    const state = await store.read(name);
    if (!state) throw new Error(`The destination ${name} has not begun.`);
    return state;
  };
  const answered = async (name: string, own: object) => {
    const { run, failures, failingSince } = await runOf(name);
    const kept = { failures, failingSince, waitMs: 0, delivered: 0, skipped: 0, cursor: null };
    await store.advance(name, run, { ...kept, answer: null, ...own });
  };
  const answer = (status: number | null, text = status === null ? "ECONNREFUSED" : null) => ({
    at: instantOf(clock.now),
    status,
    text,
  });
  return {
    clock,
    pass: (minutes: number) => void (clock.now += minutes * MINUTE_MS),
    async begin() {
      for (const each of file) await store.begin(each.name, getsCalls(each) ? "0000000000" : null);
    },
    /** A first attempt that fails, as receiverHealth.ts counts it. */
    async fail(name: string, status: number | null = 503) {
      const { failures, failingSince } = await runOf(name);
      const since = failingSince ?? instantOf(clock.now);
      await answered(name, { failures: failures + 1, failingSince: since, answer: answer(status) });
    },
    take: (name: string) => answered(name, { failures: 0, failingSince: null, delivered: 1, answer: answer(204) }),
    /** A chat refuses an alert for good: nothing waits any more. */
    refuse: (name: string, status: number | null = 404, text?: string) =>
      answered(name, { failures: 0, failingSince: null, answer: answer(status, text) }),
    /** `isNoted`: the delivery of calls has noted the answer; that of alerts does not. */
    async disable(name: string, reason: "GONE" | "FAILING", isNoted = true) {
      if (isNoted) await answered(name, { answer: answer(reason === "GONE" ? 410 : 503) });
      await store.disable(name, (await runOf(name)).run, reason);
    },
    pause: (name: string) => store.change(name, { state: "PAUSED", cursor: null }, by),
    resume: (name: string) => store.change(name, { state: "ACTIVE", cursor: null }, by),
    /** Evaluates the rules on a gateway. `looked`: two whole looks have begun and ended since. `onRead`: a look has read the states. */
    watch(rules: readonly AlertRule[], on: Gateway = gateway, onRead = async () => undefined as void) {
      let earlier: DestinationState[] | null = null;
      const find = createDestinationConditions({
        definitions: () => [...file],
        store: {
          async all() {
            const { now } = clock;
            const states = await on.store.destinations.all();
            // A look that began before the test let time pass sees nothing of after it.
            if (clock.now === now) earlier = states;
            await onRead();
            return earlier ?? states;
          },
        },
        clock: () => clock.now,
      });
      let looks = 0;
      const counted = async (...asked: Parameters<typeof find>) => {
        looks += 1;
        return find(...asked);
      };
      const running = start(on, rules, { conditions: [counted], clock: () => clock.now });
      onTestFinished(running.stop);
      const looked = async () => {
        const before = looks;
        await until(() => looks > before + 2);
      };
      return { ...running, looked };
    },
    alerts: async () =>
      (await all(gateway)).map(({ subject, value, resolvedAt, ending }) => [
        subject,
        value,
        ending,
        minuteOf(resolvedAt),
      ]),
    told: async () =>
      (await gateway.store.alerts.noticesAfter(0, 100)).map(({ kind, alert }) => `${kind} ${alert.subject}`),
  };
}

/** Minutes after NOW. */
const minuteOf = (at: string | null) => (at === null ? null : (Date.parse(at) - NOW) / MINUTE_MS);

/** On a new gateway of a database. */
export async function openedWorld(url: string, file: AnyDestination[]) {
  const gateway = await gatewayOn(url);
  const world = destinationWorld(gateway, file);
  await world.begin();
  return { gateway, file, ...world };
}
