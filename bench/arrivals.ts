// Measures how long new connections wait beside busy ones: 64 connections ask for 50 calls and their tasks without a pause, while
// 1,000 new ones each ask for `{ __typename }` at once. They ask again on the open connections: that is the time without accepting.
import { setTimeout as pause } from "node:timers/promises";
import { FLOOR, OURS, queryServers, type QueryServer } from "./contest/queryServers.ts";
import { queryWorks } from "./contest/queryWork.ts";
import { compare, type Sample, type Target } from "./support/compare.ts";
import { openConnection, type Connection } from "./support/connection.ts";
import { findCores } from "./support/cores.ts";
import type { Effort } from "./support/effort.ts";
import { percentile } from "./support/statistics.ts";
import { startBare } from "./support/metered.ts";

const BUSY = 64;
const NEW = 1000;
const WARM_MS = 3000;
const BEFORE_MS = 500;

export async function benchArrivals({ rounds }: Effort): Promise<void> {
  await using service = await startBare("service");
  await using servers = new AsyncDisposableStack();
  const cores = findCores();
  for (const pid of [process.pid, service.pid]) cores.measuring(pid);
  const targets: Target[] = [];
  for (const { name, start } of queryServers({}).filter(({ name }) => name === OURS || name === FLOOR)) {
    const server = servers.use(await start(service.url));
    cores.measured(server.pid);
    await besideBusy(server, () => pause(WARM_MS, {}));
    targets.push({ name, run: () => besideBusy(server, () => arrive(server)) });
  }
  await compare(`${NEW} new connections beside ${BUSY} busy ones`, targets, rounds);
}

async function besideBusy<T>(server: QueryServer, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const busy = Promise.all(
    Array.from({ length: BUSY }, async (_, at) => {
      const request = server.requestOf(queryWorks.q2, at);
      const connection = await openConnection(server.url);
      while (!over.signal.aborted) await ask(connection, request);
      connection.close();
    }),
  );
  const [result] = await Promise.all([
    pause(BEFORE_MS)
      .then(work)
      .finally(() => over.abort()),
    busy,
  ]);
  return result;
}

async function arrive(server: QueryServer): Promise<Sample> {
  const request = server.requestOf(queryWorks.typename, 0);
  const connections: Connection[] = [];
  const first = await timed(async () => {
    const connection = await openConnection(server.url);
    connections.push(connection);
    await ask(connection, request);
  });
  const again = await timed((at) => ask(connections[at] as Connection, request));
  for (const connection of connections) connection.close();
  return {
    "new, p50, ms": first.p50,
    "new, last, ms": first.last,
    "open, p50, ms": again.p50,
    "open, last, ms": again.last,
  };
}

/** All begin at once. */
async function timed(run: (at: number) => Promise<void>) {
  const began = performance.now();
  const took = await Promise.all(
    Array.from({ length: NEW }, async (_, at) => {
      await run(at);
      return performance.now() - began;
    }),
  );
  took.sort((a, b) => a - b);
  return { p50: percentile(took, 50), last: percentile(took, 100) };
}

async function ask(connection: Connection, request: Buffer): Promise<void> {
  const { status } = await connection.send(request);
  if (status !== 200) throw new Error(`a query was answered ${status}`);
}
