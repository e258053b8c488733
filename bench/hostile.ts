// Measures a good client's latency with and without an attack: 10,000 webhooks a second and 200 slow connections, all without
// credentials. The baseline is a bare server that checks only the header, which shows what the attack costs the machine.
import { contest, measured, type Contestant, type Sample } from "./support/contest.ts";
import { printTable } from "./support/compare.ts";
import { profileOptions, type Effort } from "./support/effort.ts";
import { startGateway } from "./support/gateway.ts";
import { postBytes } from "./support/connection.ts";
import { startBare, type Metered } from "./support/metered.ts";
import { ratioOf, spreadOf, written } from "./support/statistics.ts";
import { steady } from "./support/steady.ts";
import { until } from "../test/support/until.ts";

const PER_SECOND = 10_000;
const SLOW = 200;
const HERE = "127.0.0.1";
/** On Linux the loopback has a second address. On other systems the attack uses the client's own address. */
const ELSEWHERE = process.platform === "linux" ? "127.0.0.2" : HERE;
const DAY = "2026-11-20";
const QUERY = `{ callLogs(first: 10, filter: { since: "${DAY}T00:00:00+08:00", until: "${DAY}T23:59:59+08:00" }) {
  totalCount nodes { sessionId direction caller callee startAt endAt duration answered } } }`;

interface Server {
  metered: Metered;
  request: Buffer;
}

interface AttackerCounts {
  refused: number;
  broken: number;
  slow: number;
}

export async function benchHostile(effort: Effort): Promise<void> {
  await using service = await startBare("service");
  await using gateway = await startGateway({ service: service.url, nodeOptions: profileOptions(effort, "hostile") });
  const { authorization } = gateway;
  await using floor = await startBare("proxy", [service.url, authorization]);
  const ms = effort.ms * 2;
  const ours = { metered: gateway, request: postBytes("/graphql", authorization, JSON.stringify({ query: QUERY })) };
  const bare = { metered: floor, request: postBytes(`/10/0/${DAY}`, authorization, "{}") };
  const contestants: Contestant[] = [
    { name: "alone", run: () => goodClient(ours, ms) },
    { name: "attack from elsewhere", run: () => attacked(ours, ms, ELSEWHERE) },
    { name: "attack from its own address", run: () => attacked(ours, ms, HERE) },
    { name: "floor, alone", run: () => goodClient(bare, ms) },
    { name: "floor, attacked", run: () => attacked(bare, ms, ELSEWHERE) },
  ];
  // The first run warms up, and its results are not used.
  await contest(contestants, 1);
  const results = await contest(contestants, effort.rounds);
  const figure = (name: string, measure: string) => written(spreadOf(measured(results, name, measure)));
  const p99Of = (name: string) => measured(results, name, "p99, ms");
  const rows = contestants.map(({ name }) => {
    const alone = name.startsWith("floor") ? "floor, alone" : "alone";
    const ratio = name === alone ? "" : written(ratioOf(p99Of(name), p99Of(alone)));
    return [name, ...MEASURES.map((measure) => figure(name, measure)), ratio];
  });
  printTable([["a good client, 100 queries a second", ...MEASURES, "p99 / alone"], ...rows]);
  await gateway.stop();
}

const MEASURES = [
  "p50, ms",
  "p99, ms",
  "event-loop delay, p99, ms",
  "processor time, ms",
  "attempts/s",
  "slow",
] as const;

async function attacked(server: Server, ms: number, from: string): Promise<Sample> {
  await using attacker = await startBare("attacker", [server.metered.url, String(PER_SECOND), String(SLOW), from]);
  const readCounts = async () => (await (await fetch(attacker.url)).json()) as AttackerCounts;
  await until(async () => (await readCounts()).refused > PER_SECOND / 10);
  const before = await readCounts();
  const began = performance.now();
  const sample = await goodClient(server, ms);
  const after = await readCounts();
  const attempts = after.refused + after.broken - before.refused - before.broken;
  return { ...sample, "attempts/s": attempts / ((performance.now() - began) / 1000), slow: after.slow };
}

async function goodClient({ metered, request }: Server, ms: number): Promise<Sample> {
  await metered.meter();
  const { p50, p99 } = await steady(metered.url, {
    connections: 4,
    everyMs: 40,
    ms,
    next: () => request,
    check({ status, length }) {
      if (status !== 200 || length < 500) throw new Error(`the good client was answered ${status}, ${length} bytes`);
    },
  });
  const { delayP99Ms, cpuMs } = await metered.meter();
  return {
    "p50, ms": p50,
    "p99, ms": p99,
    "event-loop delay, p99, ms": delayP99Ms,
    "processor time, ms": cpuMs,
    "attempts/s": 0,
    slow: 0,
  };
}
