// Asks the gateway for its state every few seconds while the page is in sight, and remembers when it answered. While the service fails
// it is asked, too: the gateway itself notices that it answers again only when somebody asks.
import type { SwitchboardClient, SwitchboardError } from "switchboard-client";
import type { ConsoleFactsQuery } from "../gql/graphql.ts";
import { factsDocument, reachableDocument, serviceDocument } from "./documents.ts";

export interface Facts {
  /** Epoch milliseconds of the gateway's last answer. */
  answeredAt: number;
  /** Epoch milliseconds of the first question without an answer since; null: it answers. */
  awaySince: number | null;
  /** Null: the viewer may not see them, or they did not come yet. */
  gateway: ConsoleFactsQuery["gateway"];
  /** How many of the last ten calls came without a webhook. Null: not known. */
  withoutWebhook: number | null;
  /** Whether the gateway could not use its database. */
  isStoreAway: boolean;
  /** Epoch milliseconds of the first question of this page that the service did not answer; null: it answers, as far as is known. */
  serviceFailedSince: number | null;
}

export interface FactsStore {
  get(): Facts;
  subscribe(listener: () => void): () => void;
  /** Asks until the returned function is called. */
  start(): () => void;
  /** Takes the code of an operation that failed elsewhere in the page. */
  report(code: string): void;
}

const EVERY_MS = 5000;
/** A gateway that takes longer is away. */
const PATIENCE_MS = 10_000;
const SERVICE_EVERY_MS = 10_000;
const CALLS = 10;
const SERVICE_AWAY = new Set(["UPSTREAM_UNAVAILABLE", "UPSTREAM_TIMEOUT"]);

/** `sees`: what the viewer may see. */
export function createFactsStore(client: SwitchboardClient, sees: { admin: boolean; calls: boolean }): FactsStore {
  const listeners = new Set<() => void>();
  let facts: Facts = {
    answeredAt: Date.now(),
    awaySince: null,
    gateway: null,
    withoutWebhook: null,
    isStoreAway: false,
    serviceFailedSince: null,
  };
  let askNow = (): void => undefined;

  function set(changed: Partial<Facts>): void {
    facts = { ...facts, ...changed };
    for (const listener of listeners) listener();
  }
  function take({ gateway, callEndedEvents }: Partial<ConsoleFactsQuery>): void {
    const nodes = callEndedEvents?.nodes;
    const without = nodes?.filter(({ source }) => source === "RECONCILED").length;
    set({
      answeredAt: Date.now(),
      awaySince: null,
      isStoreAway: false,
      ...(gateway && { gateway }),
      ...(nodes && { withoutWebhook: nodes.length < CALLS ? null : (without ?? null) }),
    });
  }
  function fail(error: SwitchboardError, askedAt: number): void {
    // The time limit ends a request without a code.
    if (error.code === undefined || error.code === "NETWORK") return set({ awaySince: facts.awaySince ?? askedAt });
    take((error.data as ConsoleFactsQuery | null | undefined) ?? {});
    if (error.code === "STORE_UNAVAILABLE") set({ isStoreAway: true });
  }
  async function ask(leaving: AbortSignal): Promise<void> {
    const askedAt = Date.now();
    const options = { signal: AbortSignal.any([leaving, AbortSignal.timeout(PATIENCE_MS)]) };
    try {
      if (sees.admin) take(await client.query(factsDocument, { calls: sees.calls }, options));
      else {
        await client.query(reachableDocument, {}, options);
        take({});
      }
    } catch (error) {
      if (!leaving.aborted) fail(error as SwitchboardError, askedAt);
    }
  }
  const isServiceFailing = (): boolean => {
    const { gateway, serviceFailedSince } = facts;
    return serviceFailedSince !== null || gateway?.serviceFailingSince != null || gateway?.tokenRefused === true;
  };
  async function askService(leaving: AbortSignal): Promise<void> {
    try {
      await client.query(serviceDocument, {}, { signal: leaving });
      set({ serviceFailedSince: null });
      askNow();
    } catch (error) {
      if (!leaving.aborted) report((error as SwitchboardError).code);
    }
  }
  function report(code: string): void {
    if (code === "NETWORK") askNow();
    if (SERVICE_AWAY.has(code) && facts.serviceFailedSince === null) set({ serviceFailedSince: Date.now() });
  }
  function start(): () => void {
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    async function round(): Promise<void> {
      clearTimeout(timer);
      if (isAsking || signal.aborted) return;
      isAsking = true;
      if (!document.hidden) await ask(signal);
      isAsking = false;
      if (!signal.aborted) timer = setTimeout(() => void round(), EVERY_MS);
    }
    askNow = () => void round();
    const onSight = () => !document.hidden && askNow();
    const serviceTimer = setInterval(() => {
      if (!document.hidden && sees.calls && isServiceFailing()) void askService(signal);
    }, SERVICE_EVERY_MS);
    addEventListener("online", askNow, { signal });
    addEventListener("offline", askNow, { signal });
    document.addEventListener("visibilitychange", onSight, { signal });
    // A lost socket is noticed before the next question.
    const ended = client.onState(({ name }) => name === "waiting" && askNow());
    askNow();
    return () => {
      leaving.abort();
      clearTimeout(timer);
      clearInterval(serviceTimer);
      ended();
    };
  }
  return {
    get: () => facts,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    start,
    report,
  };
}
