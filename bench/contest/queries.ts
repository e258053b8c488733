// Measures queries of the gateway, a bare proxy and other servers, in front of the same stub of the service. Each process is
// measured in several situations, after its first seconds under load. Each connection asks for its own day, so that no
// concurrent queries are equal; equal queries are a situation of their own.
import type { Cores } from "../support/cores.ts";
import { contest, type Contestant, type Result, type Sample } from "../support/contest.ts";
import { openLoad } from "../support/load.ts";
import { startBare, type Metered } from "../support/metered.ts";
import type { Amount } from "./amount.ts";
import type { QueryWork } from "./queryWork.ts";
import type { QueryServer, QueryServerKind } from "./queryServers.ts";

export const CONNECTIONS = 64;

/** The first moments of a process, while the service answers at once. */
export const COLD = "cold";
export const differentAt = (latencyMs: number): string => `${latencyMs} ms`;
export const alikeAt = (latencyMs: number): string => `${latencyMs} ms, alike`;
/** A measure in one situation, as the samples name it. */
export const inSituation = (situation: string, measure: string): string => `${situation}: ${measure}`;

export interface QueryContest {
  work: QueryWork;
  latencies: readonly number[];
  results: Result[];
}

export interface QueryOptions {
  servers: readonly QueryServerKind[];
  works: readonly QueryWork[];
  latencies: readonly number[];
  amount: Amount;
  cores: Cores;
}

/** Throws before the measurement if two servers answer differently. */
export async function contestQueries({ works, ...options }: QueryOptions): Promise<QueryContest[]> {
  await using service = await startBare("service");
  options.cores.measuring(service.pid);
  const contests: QueryContest[] = [];
  for (const work of works) {
    // A query that does not ask the service is the same at any latency.
    const latencies = work.calls > 0 ? options.latencies : [0];
    await compareAnswers(options.servers, work, service.url);
    const contestants = options.servers.map((kind): Contestant => ({
      name: kind.name,
      run: () => measureSituations(kind, { ...options, work, latencies, service }),
    }));
    contests.push({ work, latencies, results: await contest(contestants, options.amount.rounds) });
    console.error(`  measured: ${work.title}`);
  }
  return contests;
}

type Situations = Pick<QueryOptions, "latencies" | "amount" | "cores"> & { work: QueryWork; service: Metered };

async function measureSituations(kind: QueryServerKind, options: Situations): Promise<Sample> {
  const { work, service, latencies, amount, cores } = options;
  const { ms, coldMs, warmMs } = amount;
  await setLatency(service, 0);
  await using server = await kind.start(service.url);
  cores.measured(server.pid);
  const setting = { work, service, connections: CONNECTIONS, rampMs: 0, isAlike: false };
  const samples: Record<string, Sample> = { [COLD]: await measureQueries(server, { ...setting, ms: coldMs }) };
  await measureQueries(server, { ...setting, ms: warmMs - coldMs });
  for (const latency of latencies) {
    await setLatency(service, latency);
    samples[differentAt(latency)] = await measureQueries(server, { ...setting, ms, rampMs: ms });
    if (work.calls > 0) samples[alikeAt(latency)] = await measureQueries(server, { ...setting, ms, isAlike: true });
  }
  return Object.fromEntries(
    Object.entries(samples).flatMap(([situation, sample]) =>
      Object.entries(sample).map(([measure, value]) => [inSituation(situation, measure), value]),
    ),
  );
}

export interface QuerySetting {
  work: QueryWork;
  service: Metered;
  connections: number;
  ms: number;
  /** Duration of the load with new connections, before the same connections are measured. 0: they are measured as new ones. */
  rampMs: number;
  /** All connections ask for the same day. */
  isAlike: boolean;
}

export async function measureQueries(server: QueryServer, setting: QuerySetting): Promise<Sample> {
  const { work, service, connections, ms, rampMs, isAlike } = setting;
  const requests = Array.from({ length: connections }, (_, at) => server.requestOf(work, isAlike ? 0 : at));
  let length: number | undefined;
  using load = await openLoad(server.url, {
    connections,
    next: (connection) => requests[connection] as Buffer,
    check(answer) {
      // The answers for all days have the same length, so a different length means a wrong answer.
      length ??= answer.length;
      if (answer.status !== 200 || answer.length !== length)
        throw new Error(`another answer: ${JSON.stringify(answer)}`);
    },
  });
  const ramp = rampMs > 0 ? await load.run(rampMs) : null;
  await askedOf(service);
  await server.meter();
  const result = await load.run(ms);
  const { cpuMs, memoryMb } = await server.meter();
  return {
    "queries/s": result.perSecond,
    "p50, ms": result.p50,
    "p99, ms": result.p99,
    ...(ramp && { "p99 with new connections, ms": ramp.p99 }),
    "µs of processor/query": (cpuMs * 1000) / result.answered,
    "requests to the service/query": (await askedOf(service)) / result.answered,
    "memory, MB": memoryMb,
  };
}

async function askedOf({ url }: Metered): Promise<number> {
  const response = await fetch(`${url}/asked`);
  return ((await response.json()) as { asked: number }).asked;
}

async function setLatency({ url }: Metered, ms: number): Promise<void> {
  await fetch(`${url}/latency/${ms}`);
}

/** Compares the answers for two days as parsed JSON, because servers may order the fields differently. */
async function compareAnswers(kinds: readonly QueryServerKind[], work: QueryWork, service: string): Promise<void> {
  const answers = new Map<string, string>();
  for (const kind of kinds.filter(({ speaksGraphql }) => speaksGraphql)) {
    await using server = await kind.start(service);
    const parsed = await Promise.all([0, CONNECTIONS - 1].map((day) => server.ask(work, day)));
    answers.set(kind.name, JSON.stringify(parsed));
  }
  const [first, ...others] = [...answers];
  const other = others.find(([, answer]) => answer !== first?.[1]);
  if (other) throw new Error(`${work.title}: ${first?.[0]} and ${other[0]} differ:\n${first?.[1]}\n${other[1]}`);
}
