// Counts the requests to the service while a hundred clients poll the same list. Compares them with one request for each poll,
// and with the minimum at UPSTREAM_CACHE_MS of a second. A second part polls a few pages without a cache: concurrent requests
// for the same page are then shared.
import { setTimeout } from "node:timers/promises";
import { spawnSandbox } from "../test/support/sandbox.ts";
import { bodyOf, queryWorks } from "./contest/queryWork.ts";
import { QUERY_SCOPES } from "./contest/queryServers.ts";
import { printTable } from "./support/compare.ts";
import { percentile } from "./support/statistics.ts";
import { startGateway } from "./support/gateway.ts";
import type { Effort } from "./support/effort.ts";
import { openConnection, postBytes, type Connection } from "./support/connection.ts";
import { load } from "./support/load.ts";
import { startBare } from "./support/metered.ts";

const CLIENTS = 100;
const PAUSE_MS = 100;
/** UPSTREAM_CACHE_MS. */
const KEPT_MS = 1000;
const LIST = `{ callLogs(first: 50, filter: { since: "2026-03-02T00:00:00+08:00", until: "2026-03-02T23:59:59+08:00" }) { totalCount nodes { sessionId direction caller callee startAt endAt } } }`;

export async function benchPolling(effort: Effort): Promise<void> {
  await pollOneList(effort);
  await askHotPages(effort);
}

const HOT_PAGES = 4;
const HOT_CLIENTS = 64;
const LATENCY_MS = 20;

async function askHotPages({ pollMs }: Effort): Promise<void> {
  await using service = await startBare("service", [String(LATENCY_MS)]);
  await using gateway = await startGateway({ service: service.url, cacheMs: 0, scopes: QUERY_SCOPES });
  const { q2 } = queryWorks;
  const textOf = (at: number) => JSON.stringify(bodyOf(q2, at % HOT_PAGES));
  const requests = Array.from({ length: HOT_CLIENTS }, (_, at) =>
    postBytes("/graphql", gateway.authorization, textOf(at)),
  );
  const { answered } = await load(gateway.url, {
    connections: HOT_CLIENTS,
    ms: pollMs,
    next: (connection) => requests[connection] as Buffer,
    check({ status, length }) {
      if (status !== 200 || length < 1000)
        throw new Error(`the gateway gave another answer: ${status}, ${length} bytes`);
    },
  });
  const { asked } = (await (await fetch(`${service.url}/asked`)).json()) as { asked: number };
  await gateway.stop();
  printTable([
    [`${HOT_CLIENTS} clients ask for ${HOT_PAGES} pages, nothing kept`, "queries", "requests", "per query", "naive"],
    [
      `  ${q2.title}; the service answers after ${LATENCY_MS} ms`,
      ...[answered, asked].map(String),
      (asked / answered).toFixed(2),
      String(1 + q2.tasks),
    ],
  ]);
}

async function pollOneList({ pollMs }: Effort): Promise<void> {
  await using service = await spawnSandbox();
  await using gateway = await startGateway({ service: service.url, cacheMs: KEPT_MS });
  await service.control("POST", "seed", { tasks: [], calls: callsOfADay() });
  await service.forget();
  const request = postBytes("/graphql", gateway.authorization, JSON.stringify({ query: LIST }));
  const connections = await Promise.all(Array.from({ length: CLIENTS }, () => openConnection(gateway.url)));
  const end = performance.now() + pollMs;
  const took = (await Promise.all(connections.map((connection) => poll(connection, request, end))))
    .flat()
    .toSorted((a, b) => a - b);
  for (const connection of connections) connection.close();
  const asked = (await service.requests()).length;
  await gateway.stop();
  printTable([
    [
      `${CLIENTS} clients poll one list for ${pollMs / 1000} s`,
      "gateway",
      "naive",
      "least possible",
      "p50, ms",
      "p99, ms",
    ],
    [
      "  requests to the service",
      ...[asked, took.length, Math.ceil(pollMs / KEPT_MS)].map(String),
      ...[50, 99].map((share) => percentile(took, share).toFixed(1)),
    ],
  ]);
}

function callsOfADay() {
  const startAt = (at: number) => `2026-03-02 09:${String(at).padStart(2, "0")}:00`;
  return Array.from({ length: 50 }, (_, at) => ({
    sessionId: `call-${at}`,
    direction: "outbound",
    startAt: startAt(at),
  }));
}

/** Returns the duration of each request in ms. */
async function poll(connection: Connection, request: Buffer, end: number): Promise<number[]> {
  const took: number[] = [];
  while (performance.now() < end) {
    const began = performance.now();
    const { status, length } = await connection.send(request);
    if (status !== 200 || length < 1000) throw new Error(`the gateway gave another answer: ${status}, ${length} bytes`);
    took.push(performance.now() - began);
    await setTimeout(PAUSE_MS);
  }
  return took;
}
