// Destinations over a real database and event log, with a deliverer that a test answers for.
import { onTestFinished } from "vitest";
import type { AnyDeliverer, Attempt, Deliverer, EventReference } from "../../src/destinations/deliverer.ts";
import type { EventDestination } from "../../src/destinations/eventDeliverer.ts";
import { startDestinations, type DestinationsDeps } from "../../src/destinations/startDestinations.ts";
import { noDestinationObserver } from "../../src/destinations/observer.ts";
import type { EventLog } from "../../src/events/eventLog.ts";
import { createEventCursors } from "../../src/events/logEntry.ts";
import { createLeaseStore } from "../../src/store/shared/leaseStore.ts";
import type { Store } from "../../src/store/store.ts";
import { logOver, NOW, signer } from "../events/callEnded.ts";
import { tempDatabase, tempStore } from "../store/tempStore.ts";
import { createSignal } from "../../src/util/signal.ts";
import { silentLog } from "../support/silentLog.ts";
import { SECRET } from "./receiver.ts";

export const TAKEN: Attempt = { outcome: "taken", status: 204 };
export const failed = (retryAfterMs: number | null = null): Attempt => ({
  outcome: "failed",
  status: 500,
  text: "call 13800010001",
  retryAfterMs,
  isOwn: false,
});

export const destination = (own: Partial<EventDestination> = {}): EventDestination => ({
  name: "crm",
  kind: "event",
  url: "https://crm.example/hook",
  secrets: [SECRET],
  scopes: ["calls:read"],
  filter: {},
  revisions: false,
  alerts: false,
  imported: false,
  order: "strict",
  maxInFlight: 4,
  enabled: true,
  from: "oldest",
  ...own,
});

export const QUICK = { saveMs: 1, lettersMs: 5, hoursMs: 5, hourEndMs: 3_660_000, pollMs: 5, leaseMs: 5 };
export const SOON = { delaysMs: [1] as [number], forMs: 3 * 86_400_000, random: () => 0 };

type Answer = (event: EventReference, count: number, signal: AbortSignal) => Attempt | Promise<Attempt>;

export interface Delivering {
  /** Session IDs of all attempts, in order. */
  attempts: string[];
  /** The same of attempts that were taken. */
  taken: string[];
  stop(): Promise<void>;
}

/** Another gateway of the same database has its own log and leases. */
export async function gatewayOn(url: string): Promise<{ store: Store; events: EventLog }> {
  const store = await tempStore(url);
  return { store, events: await logOver(store.events) };
}

/** One with a clock that a test sets, and what it keeps for the destination `crm`. */
export async function withClock(url: string) {
  const gateway = await gatewayOn(url);
  const state = () => gateway.store.destinations.read("crm");
  const letters = () => gateway.store.destinations.letters("crm", { after: 0, limit: 10 });
  const clock = { now: NOW };
  return { ...gateway, state, letters, clock, deps: { clock: () => clock.now } };
}

export function deliver(
  { store, events }: { store: Store; events: EventLog },
  {
    answer = () => TAKEN,
    own,
    deps = {},
  }: { answer?: Answer; own?: Partial<EventDestination>; deps?: Partial<DestinationsDeps> },
): Delivering {
  const [attempts, taken]: [string[], string[]] = [[], []];
  const deliverer: Deliverer = {
    async deliver(event, signal) {
      attempts.push(event.sessionId);
      const made = await answer(event, attempts.length, signal);
      if (made.outcome === "taken") taken.push(event.sessionId);
      return made;
    },
    test: async () => TAKEN,
    async [Symbol.asyncDispose]() {},
  };
  return { attempts, taken, stop: run({ store, events }, deliverer, own, deps) };
}

/** Runs one destination until it is stopped, or the test is over. Returns what stops it. */
export function run(
  { store, events }: { store: Store; events: EventLog },
  deliverer: AnyDeliverer,
  own: Partial<EventDestination> = {},
  deps: Partial<DestinationsDeps> = {},
): () => Promise<void> {
  const running = startDestinations({
    file: { current: () => [destination(own)], onChange: () => () => undefined },
    createDeliverer: () => deliverer,
    events,
    cursors: createEventCursors(signer),
    store: store.destinations,
    leases: store.leases,
    observer: noDestinationObserver,
    changed: createSignal(),
    mask: (text) => text.replaceAll(/\d{7,}/g, "****"),
    clock: () => NOW,
    log: silentLog,
    retentionMs: 90 * 86_400_000,
    retries: SOON,
    times: QUICK,
    ...deps,
  });
  const stop = () => Promise.resolve(running[Symbol.asyncDispose]());
  onTestFinished(stop);
  return stop;
}

/** Leases of a gateway that dies without returning them are free after a moment. */
export const shortLeases = async (url: string) =>
  createLeaseStore(await tempDatabase(url), { leaseMs: 300, renewMs: 50 });
