// Kills a gateway, or its PostgreSQL, at random moments while webhooks arrive. At the end, compares the log with the
// acknowledged webhooks.
import { setTimeout } from "node:timers/promises";
import { startPostgres } from "../../test/support/postgres/postgresServer.ts";
import { until } from "../../test/support/until.ts";
import { openFiles, sessionsInPostgres } from "./databases.ts";
import { createDeliverer, type Deliverer } from "./deliverer.ts";
import { startGateway } from "./gateway.ts";
import { countEvents, type EventCounts } from "./eventCounts.ts";

const CONNECTIONS = 16;
const MAX_DELAY_MS = 300;

const randomDelay = () => setTimeout(Math.random() * MAX_DELAY_MS);

function deliverOnAll(deliverer: Deliverer, url: string, signal: AbortSignal): Promise<unknown> {
  return Promise.all(Array.from({ length: CONNECTIONS }, () => deliverer.deliver(url, signal)));
}

export async function killGateway(kills: number): Promise<EventCounts> {
  await using files = await openFiles();
  const database = await files.create("killed");
  const deliverer = createDeliverer();
  for (let killed = 0; killed < kills; killed += 1) {
    const gateway = await startGateway({ database });
    const delivering = deliverOnAll(deliverer, gateway.url, new AbortController().signal);
    await randomDelay();
    // Disposing of it sends SIGKILL.
    await gateway[Symbol.asyncDispose]();
    await delivering;
  }
  await using gateway = await startGateway({ database });
  await deliverer.settle(gateway.url);
  await gateway.stop();
  return countEvents(deliverer.acknowledged, await files.sessionsIn(database));
}

/** The gateway keeps running. It must refuse webhooks while PostgreSQL is down, and exit with 0 at the end. */
export async function killPostgres(kills: number): Promise<EventCounts> {
  await using server = await startPostgres({ fsync: true });
  await using gateway = await startGateway({ database: server.url });
  const deliverer = createDeliverer();
  const { acknowledged } = deliverer;
  const stop = new AbortController();
  const delivering = deliverOnAll(deliverer, gateway.url, stop.signal);
  for (let killed = 0; killed < kills; killed += 1) {
    await randomDelay();
    await server.kill();
    const before = acknowledged.length;
    await server.start();
    await until(() => acknowledged.length > before);
  }
  stop.abort();
  await delivering;
  await deliverer.settle(gateway.url);
  await gateway.stop();
  return countEvents(acknowledged, await sessionsInPostgres(server.url));
}
