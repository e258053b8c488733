// Measures queries of the gateway, a bare proxy and other servers, in front of the same stub of the service. Each connection
// asks for its own day, so that no concurrent queries are equal; equal queries are measured separately.
import type { Cores } from "../support/cores.ts";
import { contest, type Contestant, type Result, type Sample } from "../support/contest.ts";
import { load } from "../support/load.ts";
import { startBare, type Metered } from "../support/metered.ts";
import type { Amount } from "./amount.ts";
import type { QueryWork } from "./queryWork.ts";
import type { QueryServer, QueryServerKind } from "./queryServers.ts";

export const CONNECTIONS = 64;

export interface QueryContest {
  work: QueryWork;
  latencyMs: number;
  /** Results with a day for each connection, and with the same day for all. */
  different: Result[];
  alike: Result[];
}

export interface QueryOptions {
  servers: readonly QueryServerKind[];
  works: readonly QueryWork[];
  latencies: readonly number[];
  amount: Amount;
  cores: Cores;
}

/** Throws before the measurement if two servers answer differently. */
export async function contestQueries(options: QueryOptions): Promise<QueryContest[]> {
  const { works, latencies, servers, amount, cores } = options;
  const contests: QueryContest[] = [];
  for (const latencyMs of latencies) {
    await using service = await startBare("service", [String(latencyMs)]);
    cores.measuring(service.pid);
    for (const work of works) {
      await compareAnswers(servers, work, service.url);
      const runs = new Map(servers.map(({ name }) => [name, [] as Sample[]]));
      const contestants = servers.map((kind): Contestant => ({
        name: kind.name,
        async run() {
          await using server = await kind.start(service.url);
          cores.measured(server.pid);
          await measure(server, { work, service, connections: CONNECTIONS, ms: amount.warmMs, isAlike: false });
          const setting = { work, service, connections: CONNECTIONS, ms: amount.ms };
          const different = await measure(server, { ...setting, isAlike: false });
          if (work.calls > 0) runs.get(kind.name)?.push(await measure(server, { ...setting, isAlike: true }));
          return different;
        },
      }));
      const different = await contest(contestants, amount.rounds);
      // In the order of the rounds.
      const alike = servers.map(({ name }) => ({ name, rounds: runs.get(name) ?? [] }));
      contests.push({ work, latencyMs, different, alike });
      console.error(`  measured: ${work.title}, ${latencyMs} ms`);
    }
  }
  return contests;
}

interface Setting {
  work: QueryWork;
  service: Metered;
  connections: number;
  ms: number;
  /** All connections ask for the same day. */
  isAlike: boolean;
}

async function measure(server: QueryServer, { work, service, connections, ms, isAlike }: Setting): Promise<Sample> {
  const requests = Array.from({ length: connections }, (_, at) => server.requestOf(work, isAlike ? 0 : at));
  let length: number | undefined;
  await askedOf(service);
  await server.meter();
  const result = await load(server.url, {
    connections,
    ms,
    next: (connection) => requests[connection] as Buffer,
    check(answer) {
      // The answers for all days have the same length, so a different length means a wrong answer.
      length ??= answer.length;
      if (answer.status !== 200 || answer.length !== length)
        throw new Error(`another answer: ${JSON.stringify(answer)}`);
    },
  });
  const { cpuMs, memoryMb } = await server.meter();
  return {
    "queries/s": result.perSecond,
    "p50, ms": result.p50,
    "p99, ms": result.p99,
    "µs of processor/query": (cpuMs * 1000) / result.answered,
    "requests to the service/query": (await askedOf(service)) / result.answered,
    "memory, MB": memoryMb,
  };
}

async function askedOf({ url }: Metered): Promise<number> {
  const response = await fetch(`${url}/asked`);
  return ((await response.json()) as { asked: number }).asked;
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
