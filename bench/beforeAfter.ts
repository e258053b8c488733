// `npm run bench:compare -- TREE`: measures this working tree beside another one, such as a git worktree of the state before a
// change. Both run at the same time and are loaded in turns, so that a slow moment of the machine slows both.
// `--with NAME=VALUE`, which may be repeated, sets a variable of this tree's gateway only: with `.` as the other tree, it measures a
// setting. `--work q1,q2,q3,webhooks` chooses the work, `--rounds N` the rounds, `--mercurius` adds that peer to queries.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { queryWorks, type QueryWork } from "./contest/queryWork.ts";
import { CONNECTIONS, measureQueries } from "./contest/queries.ts";
import { peerServer, programServer, type QueryServer } from "./contest/queryServers.ts";
import type { Environment } from "../test/support/program.ts";
import { compare, type Target } from "./support/compare.ts";
import { findCores } from "./support/cores.ts";
import { startGateway } from "./support/gateway.ts";
import { load } from "./support/load.ts";
import { startBare } from "./support/metered.ts";
import { createWebhooks } from "./support/webhooks.ts";

const WARM_MS = 10_000;
const ROUND_MS = 2000;
/** New connections, before the round is measured on them. */
const RAMP_MS = 1000;
const START = "bin/start.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    work: { type: "string", default: "q1,q2,q3,webhooks" },
    rounds: { type: "string", default: "5" },
    with: { type: "string", multiple: true, default: [] },
    mercurius: { type: "boolean", default: false },
  },
});
const [other] = positionals;
if (other === undefined || !existsSync(join(other, START))) {
  console.error("Name the folder of another working tree: npm run bench:compare -- ../before");
  process.exit(64);
}
const trees = { "this tree": resolve("."), "the other": resolve(other) };
const settings = Object.fromEntries(
  values.with.map((text) => [text.split("=", 1)[0], text.slice(text.indexOf("=") + 1)]),
);
const settingsOf = (name: string): Environment => (name === "this tree" ? settings : {});
const rounds = Number(values.rounds);
const cores = findCores();

for (const name of values.work.split(",")) {
  if (name === "webhooks") await compareWebhooks();
  else if (name in queryWorks) await compareQueries(queryWorks[name as keyof typeof queryWorks]);
  else throw new Error(`${name} is no work: ${[...Object.keys(queryWorks), "webhooks"].join(", ")}`);
}

async function compareQueries(work: QueryWork): Promise<void> {
  await using service = await startBare("service");
  cores.measuring(service.pid);
  await using servers = new AsyncDisposableStack();
  const targets: Target[] = [];
  const add = async (name: string, started: Promise<QueryServer>) => {
    const server = servers.use(await started);
    cores.measured(server.pid);
    const setting = { work, service, connections: CONNECTIONS, isAlike: false };
    await measureQueries(server, { ...setting, ms: WARM_MS, rampMs: 0 });
    targets.push({ name, run: () => measureQueries(server, { ...setting, ms: ROUND_MS, rampMs: RAMP_MS }) });
  };
  for (const [name, tree] of Object.entries(trees))
    await add(name, programServer(join(tree, START), service.url, settingsOf(name)));
  if (values.mercurius) await add("Mercurius", peerServer("mercurius", service.url));
  await compare(work.title, targets, rounds, "this / other");
}

async function compareWebhooks(): Promise<void> {
  await using gateways = new AsyncDisposableStack();
  const targets: Target[] = [];
  for (const [name, tree] of Object.entries(trees)) {
    const gateway = gateways.use(await startGateway({ program: [join(tree, START)], settings: settingsOf(name) }));
    cores.measured(gateway.pid);
    const { next } = createWebhooks();
    const run = async (ms: number) => {
      await gateway.meter();
      const { answered, perSecond, p50, p99 } = await load(gateway.url, { connections: CONNECTIONS, ms, next, check });
      const { cpuMs } = await gateway.meter();
      return { "acknowledged/s": perSecond, "p50, ms": p50, "p99, ms": p99, "µs each": (cpuMs * 1000) / answered };
    };
    await run(WARM_MS);
    targets.push({ name, run: () => run(ROUND_MS) });
  }
  await compare("webhooks", targets, rounds, "this / other");
}

function check({ status }: { status: number }): void {
  if (status !== 200) throw new Error(`a webhook was answered ${status}`);
}
