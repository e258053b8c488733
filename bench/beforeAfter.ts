// `npm run bench:compare -- TREE`: measures this working tree beside another one, such as a git worktree of the state before a
// change. Both run at the same time and are loaded in turns, so that a slow moment of the machine slows both.
// `--with NAME=VALUE`, which may be repeated, sets a variable of this tree's gateway only: with `.` as the other tree, it measures a
// setting. `--work q1,q2,q3,webhooks` chooses the work, `--rounds N` the rounds, `--ms N` the length of one. `--mercurius` adds that
// peer to queries. `--control` adds the other tree a second time: its ratio to the first shows the machine's noise.
// `--processes N` measures several processes of each tree, because equal processes differ by some per cent. `--warm SECONDS` is for
// work that few requests do: V8 compiles it late.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { queryWorks, type QueryWork } from "./contest/queryWork.ts";
import { CONNECTIONS, measureQueries } from "./contest/queries.ts";
import { peerServer, programServer, type QueryServer } from "./contest/queryServers.ts";
import type { Environment } from "../test/support/program.ts";
import { compare, type Sample, type Target } from "./support/compare.ts";
import { findCores } from "./support/cores.ts";
import { startGateway } from "./support/gateway.ts";
import { load } from "./support/load.ts";
import { startBare } from "./support/metered.ts";
import { createWebhooks } from "./support/webhooks.ts";

/** New connections, before the round is measured on them. */
const RAMP_MS = 1000;
const START = "bin/start.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    work: { type: "string", default: "q1,q2,q3,webhooks" },
    rounds: { type: "string", default: "5" },
    with: { type: "string", multiple: true, default: [] },
    ms: { type: "string", default: "2000" },
    warm: { type: "string", default: "10" },
    processes: { type: "string", default: "1" },
    mercurius: { type: "boolean", default: false },
    control: { type: "boolean", default: false },
  },
});
const [other] = positionals;
if (other === undefined || !existsSync(join(other, START))) {
  console.error("Name the folder of another working tree: npm run bench:compare -- ../before");
  process.exit(64);
}
const trees = {
  "this tree": resolve("."),
  "the other": resolve(other),
  ...(values.control && { control: resolve(other) }),
};
const ratios = ["this / other", ...(values.control ? ["control / other"] : [])];
const settings = Object.fromEntries(
  values.with.map((text) => [text.split("=", 1)[0], text.slice(text.indexOf("=") + 1)]),
);
const settingsOf = (name: string): Environment => (name === "this tree" ? settings : {});
const rounds = Number(values.rounds);
const roundMs = Number(values.ms);
const warmMs = Number(values.warm) * 1000;
const processes = Number(values.processes);
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
  const start = async (started: Promise<QueryServer>) => {
    const server = servers.use(await started);
    cores.measured(server.pid);
    const setting = { work, service, connections: CONNECTIONS, isAlike: false };
    await measureQueries(server, { ...setting, ms: warmMs, rampMs: 0 });
    return () => measureQueries(server, { ...setting, ms: roundMs, rampMs: RAMP_MS });
  };
  const targets = await targetsOf((name, tree) =>
    start(programServer(join(tree, START), service.url, settingsOf(name))),
  );
  if (values.mercurius) targets.push({ name: "Mercurius", run: await start(peerServer("mercurius", service.url)) });
  await compare(work.title, targets, rounds, ratios);
}

async function compareWebhooks(): Promise<void> {
  await using gateways = new AsyncDisposableStack();
  const start = async (name: string, tree: string) => {
    const gateway = gateways.use(await startGateway({ program: [join(tree, START)], settings: settingsOf(name) }));
    cores.measured(gateway.pid);
    const { next } = createWebhooks();
    const run = async (ms: number) => {
      await gateway.meter();
      const { answered, perSecond, p50, p99 } = await load(gateway.url, { connections: CONNECTIONS, ms, next, check });
      const { cpuMs } = await gateway.meter();
      return { "acknowledged/s": perSecond, "p50, ms": p50, "p99, ms": p99, "µs each": (cpuMs * 1000) / answered };
    };
    await run(warmMs);
    return () => run(roundMs);
  };
  await compare("webhooks", await targetsOf(start), rounds, ratios);
}

/** One for each tree, with its processes. A round of it runs them in turn, and has the means of their figures. */
async function targetsOf(start: (name: string, tree: string) => Promise<() => Promise<Sample>>): Promise<Target[]> {
  const runs = Object.keys(trees).map((): (() => Promise<Sample>)[] => []);
  for (let process = 0; process < processes; process += 1)
    for (const [at, [name, tree]] of Object.entries(trees).entries()) runs[at]?.push(await start(name, tree));
  return Object.keys(trees).map((name, at) => ({
    name,
    async run() {
      const samples: Sample[] = [];
      for (const run of runs[at] ?? []) samples.push(await run());
      return meanOf(samples);
    },
  }));
}

function meanOf(samples: readonly Sample[]): Sample {
  const sum = (measure: string) => samples.reduce((total, sample) => total + (sample[measure] ?? Number.NaN), 0);
  return Object.fromEntries(Object.keys(samples[0] ?? {}).map((measure) => [measure, sum(measure) / samples.length]));
}

function check({ status }: { status: number }): void {
  if (status !== 200) throw new Error(`a webhook was answered ${status}`);
}
