// What a good client notices of those who mean no good: its times with and without 10,000 webhooks a second and 200 slow
// connections, all without credentials, round by round at the same gateway. The attacker is a process of its own, on the
// same machine: where there are few cores, it takes the client's and the gateway's as well.
import { compare, type Sample, type Target } from "./support/compare.ts";
import { profiled, type Extent } from "./support/extent.ts";
import { startGateway, type BenchGateway } from "./support/gateway.ts";
import { postBytes } from "./support/line.ts";
import { startBare } from "./support/metered.ts";
import { steady } from "./support/steady.ts";
import { until } from "../test/support/until.ts";

const PER_SECOND = 10_000;
const SLOW = 200;
const QUERY = `{ callLogs(first: 10, filter: {
  since: "2026-11-20T00:00:00+08:00", until: "2026-11-20T23:59:59+08:00"
}) { totalCount nodes { sessionId direction caller callee startAt endAt duration answered } } }`;

interface Told {
  refused: number;
  broken: number;
  slow: number;
}

export async function benchHostile(extent: Extent): Promise<void> {
  await using service = await startBare("service");
  await using gateway = await startGateway({ service: service.url, nodeOptions: profiled(extent, "hostile") });
  const ms = extent.ms * 2;
  const good = () => goodClient(gateway, ms);
  const targets: Target[] = [
    {
      name: "under attack",
      async run() {
        await using attacker = await startBare("attacker", [gateway.url, String(PER_SECOND), String(SLOW)]);
        const told = async () => (await (await fetch(attacker.url)).json()) as Told;
        await until(async () => (await told()).slow === SLOW);
        const before = await told();
        const began = performance.now();
        const sample = await good();
        const after = await told();
        const refused = (after.refused - before.refused) / ((performance.now() - began) / 1000);
        return { ...sample, "webhooks refused/s": refused, "slow connections": after.slow };
      },
    },
    { name: "alone", run: async () => ({ ...(await good()), "webhooks refused/s": 0, "slow connections": 0 }) },
  ];
  await compare(`a good client, 100 queries a second`, targets, extent.rounds, "under attack / alone");
  await gateway.stop();
}

async function goodClient(gateway: BenchGateway, ms: number): Promise<Sample> {
  await gateway.meter();
  const { p50, p99 } = await steady(gateway.url, {
    connections: 4,
    everyMs: 40,
    ms,
    request: postBytes("/graphql", gateway.authorization, JSON.stringify({ query: QUERY })),
    check({ status, length }) {
      if (status !== 200 || length < 500) throw new Error(`the good client was answered ${status}, ${length} bytes`);
    },
  });
  const { delayP99Ms, cpuMs } = await gateway.meter();
  return {
    "p50, ms": p50,
    "p99, ms": p99,
    "event-loop delay, p99, ms": delayP99Ms,
    "gateway's processor time, ms": cpuMs,
  };
}
