// What projections add to a webhook: the gateway beside a copy without projections, loaded in turns. A round ends when the projections have
// read what it delivered, so that their whole work counts.
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createWorkingCopy } from "../../scripts/mutation/workingCopy.ts";
import { until } from "../../test/support/until.ts";
import { compare, type Sample, type Target } from "./compare.ts";
import { findCores } from "./cores.ts";
import { startGateway, type BenchGateway } from "./gateway.ts";
import { openLoad } from "./load.ts";
import { createWebhooks } from "./webhooks.ts";

/** The edit that takes the projections out. */
export const withoutProjections = {
  file: "src/gateway/createProjections.ts",
  from: "[createRecipientProjection({ signer, hangUpOutcomes: config.named.hangUps })]",
  to: "[createRecipientProjection({ signer, hangUpOutcomes: config.named.hangUps })].slice(1)",
};

const CONNECTIONS = 64;
const ROOT = join(import.meta.dirname, "../..");
const READ_MS = 600_000;
/** The questions cost the gateway processor time, too: with one every few milliseconds they would cost as much as the rows. */
const ASK_MS = 500;

export interface WebhookCost {
  rounds: number;
  /** The length of a round, and of the time before the first one. */
  ms: number;
  warmMs: number;
  /** The different people among the calls. */
  numbers: number;
  /** Webhooks a second. Default: as many as are acknowledged. */
  rate?: number | undefined;
  database?: (name: string) => string;
}

export async function compareWebhookCost(cost: WebhookCost): Promise<void> {
  const { rounds, numbers } = cost;
  using copy = createWorkingCopy(ROOT);
  const { file, from, to } = withoutProjections;
  copy.write(
    file,
    copy.read(file).replace(from, () => to),
  );
  await using gateways = new AsyncDisposableStack();
  const targets: Target[] = [];
  for (const [name, tree] of Object.entries({ "with them": ROOT, without: copy.folder })) {
    const program = [join(tree, "bin/start.js")];
    const gateway = gateways.use(await startGateway({ program, scopes: ["calls:read", "people:read", "admin"] }));
    findCores().measured(gateway.pid);
    targets.push({ name, run: await rounding(gateway, cost) });
  }
  await compare(`webhooks of ${numbers} people`, targets, rounds, ["with / without"]);
}

async function rounding(
  gateway: BenchGateway,
  { ms, warmMs, numbers, rate }: WebhookCost,
): Promise<() => Promise<Sample>> {
  const { next } = createWebhooks(numbers);
  const check = ({ status }: { status: number }) => {
    if (status !== 200) throw new Error(`a webhook was answered ${status}`);
  };
  const run = async (roundMs: number, rate?: number) => {
    await gateway.meter();
    using load = await openLoad(gateway.url, { connections: CONNECTIONS, next, check, rate });
    const { answered, perSecond, p50, p99 } = await load.run(roundMs);
    await until(() => pause(ASK_MS).then(async () => (await behindIn(gateway)) === 0), READ_MS);
    const { cpuMs } = await gateway.meter();
    return { "acknowledged/s": perSecond, "p50, ms": p50, "p99, ms": p99, "µs each": (cpuMs * 1000) / answered };
  };
  // At a low rate V8 would take minutes to compile everything.
  await run(warmMs);
  return () => run(ms, rate);
}

async function behindIn({ url, authorization }: BenchGateway): Promise<number> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    body: JSON.stringify({ query: "{ projections { behind } }" }),
  });
  const { data } = (await response.json()) as { data: { projections: { behind: number }[] } };
  return Math.max(0, ...data.projections.map(({ behind }) => behind));
}
