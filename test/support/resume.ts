// Writes events to a real gateway, which restarts, and cuts a subscriber's connections at random places meanwhile. Reports what
// the log holds and what the subscriber received.
import { createRandom, type Random } from "../../sandbox/src/random.ts";
import { cuttingProxy, type Cut, type CuttingProxy } from "./network/cuttingProxy.ts";
import { freePort } from "./network/freePort.ts";
import { callEndedEvent } from "./events.ts";
import { type GatewayProgram, NO_SERVICE, spawnGateway, temporaryDirectory } from "./gateway.ts";
import type { Environment } from "./program.ts";
import { until } from "./until.ts";

export interface Plan {
  /** The least number of cut streams. */
  cuts: number;
  restarts: number;
  events: number;
  /** Decides where connections are cut and how many events are written at once. */
  seed: number;
  env?: Environment;
}

/** Begins behind the cursor `after`. `url` is the gateway's, without a path. */
export type Subscribe = (
  url: string,
  after: string,
  onSession: (sessionId: string) => void,
) => Promise<Subscriber> | Subscriber;

/** `proxy`: another one, nearer to the subscriber than the gateway's. Its streams are cut as often. */
export interface Subscriber extends AsyncDisposable {
  proxy?: CuttingProxy;
}

export interface Outcome {
  /** The session ids of the log, in order. */
  stored: readonly string[];
  received: readonly string[];
  cuts: CuttingProxy["cuts"];
  /** How each gateway but the last one ended. */
  endings: readonly NodeJS.Signals[];
}

const MAX_BATCH = 8;
const EVENT_BYTES = 200;
const HANDSHAKE_BYTES = 700;
/** So many cuts may be behind the written share of the events. */
const SLACK = 3;

export async function subscribeThroughCuts(subscribe: Subscribe, plan: Plan): Promise<Outcome> {
  await using parts = new AsyncDisposableStack();
  const gateway = parts.use(await startRestartable(plan.env));
  const random = createRandom(plan.seed);
  let written = 0;
  const due = () => (plan.cuts * written) / plan.events;
  const cut = (): number => proxy.cuts.streams;
  const draw = () => (cut() < due() ? drawCut(random, plan) : null);
  const proxy: CuttingProxy = parts.use(await cuttingProxy(gateway.url(), draw));

  const received: string[] = [];
  const after = await gateway.headCursor();
  const subscriber = parts.use(await subscribe(proxy.url, after, (sessionId) => received.push(sessionId)));
  const proxies = subscriber.proxy ? [proxy, subscriber.proxy] : [proxy];
  /** If all was delivered, no byte comes that would reach a connection's cut. */
  const waitForCuts = (least: number) =>
    until(() => {
      const isBehind = proxies.some(({ cuts }) => cuts.streams < least);
      // All of them: a connection that is open for a moment only, such as by HTTP callback, comes again after another was cut.
      if (isBehind && received.length >= written) for (const each of proxies) each.cutAll();
      return !isBehind;
    }).catch(() => {
      throw new Error(`The subscriber received ${received.length} of ${written} events, and no more.`);
    });

  let restarting = Promise.resolve();
  let restarts = 0;
  while (written < plan.events - 1) {
    const batch = Math.min(random.int(1, MAX_BATCH), plan.events - 1 - written);
    await Promise.all(Array.from({ length: batch }, gateway.write));
    written += batch;
    await waitForCuts(due() - SLACK);
    if (restarts >= plan.restarts || written < ((restarts + 0.5) * plan.events) / plan.restarts) continue;
    restarts += 1;
    restarting = restarting.then(gateway.restart);
  }
  await restarting;
  await waitForCuts(plan.cuts);
  // An event that is received twice comes before the last one.
  const last = await gateway.write();
  await until(() => received.includes(last)).catch(() => undefined);
  return {
    stored: await gateway.storedSessions(),
    received: [...received],
    cuts: proxy.cuts,
    endings: gateway.endings,
  };
}

function drawCut(random: Random, { events, cuts }: Plan): Cut {
  const bytes = HANDSHAKE_BYTES + (2 * EVENT_BYTES * events) / cuts;
  return random.chance(0.25)
    ? { of: "request", after: random.int(1, HANDSHAKE_BYTES) }
    : { of: "response", after: random.int(1, Math.round(bytes)) };
}

/** A gateway that comes back with the same address and the same log. */
async function startRestartable(env: Environment = {}) {
  await using parts = new AsyncDisposableStack();
  const directory = parts.use(await temporaryDirectory());
  const PORT = String(await freePort());
  const start = () => spawnGateway(NO_SERVICE, { DRAIN_SECONDS: "1", DATABASE_URL: directory.database, PORT, ...env });
  let gateway: GatewayProgram = await start();
  parts.defer(() => gateway[Symbol.asyncDispose]());
  const endings: NodeJS.Signals[] = [];
  const owned = parts.move();

  async function read<T>(query: string, variables: object): Promise<T> {
    const { data } = await gateway.ask<{ callEndedEvents: T }>(query, variables);
    if (!data) throw new Error("The gateway did not answer.");
    return data.callEndedEvents;
  }
  return {
    endings,
    url: () => gateway.url,
    headCursor: async () => (await read<{ headCursor: string }>("{ callEndedEvents { headCursor } }", {})).headCursor,
    /** Repeats a new event's webhook until it is acknowledged. Resolves with the session id. */
    async write(): Promise<string> {
      const event = callEndedEvent({ task_id: 0 });
      const isAcknowledged = () => gateway.deliver(event).then(({ status }) => status === 200);
      await until(() => isAcknowledged().catch(() => false));
      return String(event.event_data["session_id"]);
    },
    /** Ends it with SIGTERM and SIGKILL by turns. */
    async restart(): Promise<void> {
      const signal = endings.length % 2 === 0 ? "SIGTERM" : "SIGKILL";
      gateway.process.kill(signal);
      await gateway.exited;
      await gateway[Symbol.asyncDispose]();
      gateway = await start();
      endings.push(signal);
    },
    async storedSessions(): Promise<string[]> {
      const sessions: string[] = [];
      const query = `query ($after: String) {
        callEndedEvents(first: 100, after: $after) { nodes { sessionId } pageInfo { hasNextPage endCursor } }
      }`;
      for (let after: string | null = null, isMore = true; isMore;) {
        const page: Page = await read<Page>(query, { after });
        sessions.push(...page.nodes.map(({ sessionId }) => sessionId));
        ({ endCursor: after, hasNextPage: isMore } = page.pageInfo);
      }
      return sessions;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Page {
  nodes: { sessionId: string }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}
