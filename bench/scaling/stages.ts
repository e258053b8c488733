// Measures gateways that share one PostgreSQL: webhooks at a steady rate and as many as they take, webhooks of which a gateway only
// hears, queries, and subscribers. All processes share the machine's cores, so processor times count more than rates.
import type { BenchGateway } from "../support/gateway.ts";
import { headCursor } from "../support/gateway.ts";
import { bodyOf, queryWorks } from "../contest/queryWork.ts";
import { openSubscribers } from "../contest/bareSubscribers.ts";
import { SUBSCRIPTION } from "../live.ts";
import type { Sample } from "../support/compare.ts";
import { openConnection, postBytes } from "../support/connection.ts";
import { percentile } from "../support/statistics.ts";
import { load } from "../support/load.ts";
import { steady } from "../support/steady.ts";
import type { Webhooks } from "../support/webhooks.ts";
import type { MeteredPostgres } from "./postgresMeter.ts";

export const STEADY_PER_SECOND = 500;
const EVERY_MS = 60;
const CONNECTIONS_EACH = 64;
const QUERY_CONNECTIONS_EACH = 16;

export interface Stage {
  gateways: readonly BenchGateway[];
  postgres: MeteredPostgres;
  webhooks: Webhooks;
  ms: number;
  /** The subscribers of all gateways together, and the events that each of them gets. */
  subscribers: number;
  events: number;
}

/** Webhooks come at a fixed rate, spread over all gateways, so that none of them waits for a processor. */
export async function measureSteadyWebhooks(stage: Stage): Promise<Sample> {
  const { gateways, postgres, webhooks, ms } = stage;
  const perGateway = (STEADY_PER_SECOND * EVERY_MS) / 1000 / gateways.length;
  const setting = { connections: perGateway, everyMs: EVERY_MS, ms, next: webhooks.next, check: expectOk };
  const used = await meterAll(stage);
  const began = performance.now();
  const [results, samples] = await postgres.sample(() => Promise.all(gateways.map(({ url }) => steady(url, setting))));
  const elapsedMs = performance.now() - began;
  const { gatewayMs, database } = await used();
  const answered = results.reduce((sum, result) => sum + result.answered, 0);
  return {
    "webhook, p50, ms": Math.max(...results.map(({ p50 }) => p50)),
    "webhook, p99, ms": Math.max(...results.map(({ p99 }) => p99)),
    "gateways, µs of processor/webhook": (gatewayMs * 1000) / answered,
    "PostgreSQL, µs of processor/webhook": (database.cpuMs * 1000) / answered,
    "statements/webhook": database.statements / answered,
    "webhooks/commit": answered / database.commits,
    "commits and notifications/s": (database.commits * 1000) / elapsedMs,
    "the lock is held, of the time": samples.lockHeld,
    "the lock is held, ms/commit": (samples.lockHeld * elapsedMs) / database.commits,
    "waiting for the lock, ms/commit": database.lockWaitMs / database.commits,
  };
}

/** Each of many connections sends its next webhook when the one before is acknowledged. */
export async function measureMostWebhooks(stage: Stage): Promise<Sample> {
  const { gateways, postgres, webhooks, ms } = stage;
  const setting = { connections: CONNECTIONS_EACH, ms, next: webhooks.next, check: expectOk };
  const used = await meterAll(stage);
  const [results, samples] = await postgres.sample(() => Promise.all(gateways.map(({ url }) => load(url, setting))));
  const { gatewayMs, database } = await used();
  const answered = results.reduce((sum, result) => sum + result.answered, 0);
  return {
    "acknowledged/s": results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    "gateways, µs of processor/webhook": (gatewayMs * 1000) / answered,
    "PostgreSQL, µs of processor/webhook": (database.cpuMs * 1000) / answered,
    "webhooks/commit": answered / database.commits,
    "the lock is held, of the time": samples.lockHeld,
    "waiting for the lock, ms/commit": database.lockWaitMs / database.commits,
    "write-ahead log, bytes/webhook": database.walBytes / answered,
    "database, bytes/webhook": database.databaseBytes / answered,
    "connections/gateway": samples.connections / gateways.length,
    "connections in use, at most/gateway": samples.mostActive / gateways.length,
  };
}

/** All webhooks go to the first gateway, at the steady rate. The others hear of them, and have no subscribers. */
export async function measureListening(stage: Stage): Promise<Sample> {
  const { gateways, webhooks, ms, postgres } = stage;
  const [first, ...others] = gateways as [BenchGateway, ...BenchGateway[]];
  const connections = (STEADY_PER_SECOND * EVERY_MS) / 1000;
  await postgres.meter();
  for (const gateway of others) await gateway.meter();
  const { answered } = await steady(first.url, {
    connections,
    everyMs: EVERY_MS,
    ms,
    next: webhooks.next,
    check: expectOk,
  });
  const { commits } = await postgres.meter();
  let cpuMs = 0;
  for (const gateway of others) cpuMs += (await gateway.meter()).cpuMs;
  const micros = (cpuMs * 1000) / others.length;
  return {
    "a listening gateway, µs/event": micros / answered,
    "a listening gateway, µs/notification": micros / commits,
  };
}

export async function measureGatewayQueries(stage: Stage): Promise<Sample> {
  const used = await meterAll(stage);
  const results = await Promise.all(
    stage.gateways.map(({ url, authorization }, at) => {
      // Each connection of each gateway has a day of its own.
      const requests = Array.from({ length: QUERY_CONNECTIONS_EACH }, (_, connection) =>
        postBytes(
          "/graphql",
          authorization,
          JSON.stringify(bodyOf(queryWorks.q1, at * QUERY_CONNECTIONS_EACH + connection)),
        ),
      );
      const next = (connection: number) => requests[connection] as Buffer;
      return load(url, { connections: QUERY_CONNECTIONS_EACH, ms: stage.ms, next, check: expectOk });
    }),
  );
  const { gatewayMs, database } = await used();
  const answered = results.reduce((sum, result) => sum + result.answered, 0);
  return {
    "queries/s": results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    "gateways, µs of processor/query": (gatewayMs * 1000) / answered,
    "PostgreSQL, µs of processor/query": (database.cpuMs * 1000) / answered,
    "statements/query": database.statements / answered,
  };
}

/** The subscribers are spread over all gateways, and the first gateway gets the webhooks, one after the other. */
export async function measureSpreadSubscribers(stage: Stage): Promise<Sample> {
  const { gateways, webhooks, subscribers, events } = stage;
  const size = Math.floor(subscribers / gateways.length);
  const groups = await Promise.all(
    gateways.map(async (gateway) => {
      const payload = { query: SUBSCRIPTION, variables: { after: await headCursor(gateway) } };
      return openSubscribers(gateway.url, { size, clients: gateway.clients, payload });
    }),
  );
  const connection = await openConnection(gateways[0]?.url ?? "");
  const send = async (): Promise<number[][]> => {
    const began = performance.now();
    const arrived = groups.map((group) => group.receive(1));
    expectOk(await connection.send(webhooks.next()));
    return (await Promise.all(arrived)).map((times) => Array.from(times, (at) => at - began));
  };
  for (let warm = 0; warm < events / 2; warm += 1) await send();
  const used = await meterAll(stage);
  const took: number[][] = gateways.map(() => []);
  for (let sent = 0; sent < events; sent += 1) {
    for (const [at, times] of (await send()).entries()) took[at]?.push(...times);
  }
  const { gatewayMs } = await used();
  for (const group of groups) group.close();
  connection.close();
  const [own = [], ...others] = took.map((times) => times.toSorted((a, b) => a - b));
  return {
    "gateways, µs of processor/delivery": (gatewayMs * 1000) / (events * size * gateways.length),
    "to a subscriber of the gateway that got the webhook, p50, ms": percentile(own, 50),
    ...(others.length > 0 && {
      "to a subscriber of another gateway, p50, ms": percentile(
        others.flat().toSorted((a, b) => a - b),
        50,
      ),
    }),
  };
}

/** The result tells what the gateways and PostgreSQL used since the call. */
async function meterAll({ gateways, postgres }: Stage) {
  for (const gateway of gateways) await gateway.meter();
  await postgres.meter();
  return async () => {
    const database = await postgres.meter();
    let gatewayMs = 0;
    for (const gateway of gateways) gatewayMs += (await gateway.meter()).cpuMs;
    return { gatewayMs, database };
  };
}

function expectOk({ status }: { status: number }): void {
  if (status !== 200) throw new Error(`a request was answered ${status}`);
}
