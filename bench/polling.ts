// Requests to the service while a hundred clients poll the same list, against the naive plan (each poll asks) and the
// least possible (an answer is used for a second, as UPSTREAM_CACHE_MS has it).
import { setTimeout } from "node:timers/promises";
import { startSandbox } from "../test/support/sandbox.ts";
import { printTable } from "./support/compare.ts";
import { percentile } from "./support/figures.ts";
import { startGateway } from "./support/gateway.ts";
import type { Extent } from "./support/extent.ts";
import { openLine, postBytes, type Line } from "./support/line.ts";

const CLIENTS = 100;
const PAUSE_MS = 100;
/** UPSTREAM_CACHE_MS. */
const KEPT_MS = 1000;
const LIST = `{ callLogs(first: 50, filter: { since: "2026-03-02T00:00:00+08:00", until: "2026-03-02T23:59:59+08:00" }) { totalCount nodes { sessionId direction caller callee startAt endAt } } }`;

export async function benchPolling({ pollMs }: Extent): Promise<void> {
  await using service = await startSandbox();
  await using gateway = await startGateway({ service: service.url });
  await service.control("POST", "seed", { tasks: [], calls: callsOfADay() });
  await service.forget();
  const request = postBytes("/graphql", gateway.authorization, JSON.stringify({ query: LIST }));
  const lines = await Promise.all(Array.from({ length: CLIENTS }, () => openLine(gateway.url)));
  const end = performance.now() + pollMs;
  const took = (await Promise.all(lines.map((line) => poll(line, request, end)))).flat().toSorted((a, b) => a - b);
  for (const line of lines) line.close();
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

/** The milliseconds that each answer took. */
async function poll(line: Line, request: Buffer, end: number): Promise<number[]> {
  const took: number[] = [];
  while (performance.now() < end) {
    const began = performance.now();
    const { status, length } = await line.ask(request);
    if (status !== 200 || length < 1000) throw new Error(`the gateway gave another answer: ${status}, ${length} bytes`);
    took.push(performance.now() - began);
    await setTimeout(PAUSE_MS);
  }
  return took;
}
