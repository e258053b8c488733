// Asks the gateway for its state every few seconds while the page is in sight, and remembers when it answered. While the service fails
// it is asked, too: the gateway itself notices that it answers again only when somebody asks.
import type { SwitchboardClient, SwitchboardError } from "switchboard-client";
import type { ConsoleFactsQuery, EventSource } from "../gql/graphql.ts";
import { factsDocument, reachableDocument, serviceDocument } from "./documents.ts";

export interface Facts {
  /** Epoch milliseconds of the gateway's last answer. */
  answeredAt: number;
  /** Epoch milliseconds of the first question without an answer since; null: it answers. */
  awaySince: number | null;
  /** Null: the viewer may not see them, or they did not come yet. */
  gateway: ConsoleFactsQuery["gateway"];
  /** How many of the last calls, ten at most, came without a webhook. Null: not known. */
  withoutWebhook: { calls: number; of: number } | null;
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
/** For so long the database counts as away where nothing else asks it. */
const STORE_MS = 15_000;
const SERVICE_AWAY = new Set(["UPSTREAM_UNAVAILABLE", "UPSTREAM_TIMEOUT"]);

/**
 * `sources`: of the newest calls, the newest first. Calls before the first webhook are left out: they ended while no gateway ran, or are
 * an outage that is over.
 */
export function countWithoutWebhook(sources: readonly EventSource[]): { calls: number; of: number } {
  const firstWebhook = sources.lastIndexOf("WEBHOOK");
  const counted = firstWebhook === -1 ? sources : sources.slice(0, firstWebhook + 1);
  return { calls: counted.filter((source) => source === "RECONCILED").length, of: counted.length };
}

/** Whether the gateway itself answered. A proxy in front of it answers without errors of the graph, and the time limit with none at all. */
const isAnswer = ({ errors = [] }: Partial<SwitchboardError>): boolean => errors.length > 0;

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
  let storeFailedAt = -Infinity;
  let askNow = (): void => undefined;

  function set(changed: Partial<Facts>): void {
    facts = { ...facts, ...changed };
    for (const listener of listeners) listener();
  }
  /** What the answer does not tell is not known any more. */
  function take({ gateway, callEndedEvents }: Partial<ConsoleFactsQuery>): void {
    const nodes = callEndedEvents?.nodes;
    // An answer without calls did not ask the database.
    const isStoreHeard = nodes !== undefined || Date.now() - storeFailedAt > STORE_MS;
    set({
      answeredAt: Date.now(),
      awaySince: null,
      isStoreAway: facts.isStoreAway && !isStoreHeard,
      gateway: gateway ?? null,
      withoutWebhook: nodes ? countWithoutWebhook(nodes.map(({ source }) => source)) : null,
    });
  }
  function fail(error: SwitchboardError, askedAt: number): void {
    if (!isAnswer(error)) return set({ awaySince: facts.awaySince ?? askedAt });
    take((error.data as ConsoleFactsQuery | null | undefined) ?? {});
    report(error.code);
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
      if (leaving.aborted) return;
      const { code } = error as SwitchboardError;
      // Any other answer, such as a refused token, is an answer of the service.
      if (isAnswer(error as SwitchboardError) && !SERVICE_AWAY.has(code)) set({ serviceFailedSince: null });
      report(code);
    }
  }
  function report(code: string): void {
    if (code === "NETWORK") askNow();
    if (code === "STORE_UNAVAILABLE") {
      storeFailedAt = Date.now();
      set({ isStoreAway: true });
    }
    // A viewer who may not ask the service would never learn that it answers again.
    if (sees.calls && SERVICE_AWAY.has(code) && facts.serviceFailedSince === null)
      set({ serviceFailedSince: Date.now() });
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
