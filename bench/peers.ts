// `npm run bench:peers`: compares the gateway with other servers, which are installed in bench/peers. Runs all contests, or
// the named ones. `--short` is a quick run. `--write` puts tables and charts into docs/. `--set NAME=VALUE,…` sets variables
// of the gateway, unless the gateway would then check less than by default. `--servers Switchboard,Mercurius`, `--work q1,q3`
// and `--latency 0` make the contest of queries shorter; the servers also that of the start.
import { loadavg } from "node:os";
import { existsSync } from "node:fs";
import { shortAmount, fullAmount, type Amount } from "./contest/amount.ts";
import { refuseFewerChecks } from "./contest/checks.ts";
import { contestFanout } from "./contest/fanout.ts";
import { reportFanout } from "./contest/fanoutReport.ts";
import { measureGrowth } from "./contest/growth.ts";
import { contestStart, reportStart } from "./contest/start.ts";
import { contestWebhooks, reportWebhooks } from "./contest/webhooks.ts";
import { contestQueries } from "./contest/queries.ts";
import { reportQueries } from "./contest/queriesReport.ts";
import { queryServers, type QueryServerKind } from "./contest/queryServers.ts";
import { queryWorks, type QueryWork } from "./contest/queryWork.ts";
import type { Environment } from "../test/support/program.ts";
import { readCommandLine } from "./support/commandLine.ts";
import { findCores, type Cores } from "./support/cores.ts";
import { printMachineFacts } from "./support/machineFacts.ts";
import { publish, type Report } from "./support/publish.ts";

interface Conditions {
  amount: Amount;
  cores: Cores;
  settings: Environment;
  servers: QueryServerKind[];
  works: QueryWork[];
}

const contests: Record<string, (conditions: Conditions) => Promise<Report>> = {
  queries: async (conditions) =>
    reportQueries(await contestQueries({ ...conditions, latencies: conditions.amount.latencies })),
  fanout: async ({ settings, amount, cores }) => reportFanout(await contestFanout(settings, amount, cores)),
  webhooks: async ({ settings, amount, cores }) => reportWebhooks(await contestWebhooks(settings, amount, cores)),
  start: async ({ servers, amount, cores }) => reportStart(await contestStart(servers, amount, cores)),
  growth: async ({ settings, amount, cores }) => measureGrowth(settings, amount, cores),
};

const { values, isChosen, refuse } = readCommandLine({
  run: "npm run bench:peers",
  names: Object.keys(contests),
  options: {
    short: { type: "boolean" },
    write: { type: "boolean" },
    rounds: { type: "string" },
    servers: { type: "string" },
    work: { type: "string" },
    latency: { type: "string" },
    "ten-million": { type: "boolean" },
    set: { type: "string" },
  },
  written:
    "[--short] [--write] [--rounds N] [--servers NAME,…] [--work q1,…] [--latency MS,…] [--ten-million] [--set NAME=VALUE,…]",
});
const settings = Object.fromEntries(
  (values.set?.split(",") ?? []).map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string]),
);
const servers = chosen(values.servers, queryServers(settings), ({ name }, part) =>
  name.toLowerCase().includes(part.toLowerCase()),
);
const works = chosen(values.work, Object.entries(queryWorks), ([name], part) => name === part).map(([, work]) => work);
const latencies = values.latency?.split(",").map(Number);
if (latencies?.some((ms) => !Number.isInteger(ms) || ms < 0)) refuse("--latency takes milliseconds, such as 0,20.");
if (!existsSync(new URL("peers/node_modules", import.meta.url))) {
  console.error("The other servers are not installed: npm ci --prefix bench/peers");
  process.exit(69);
}
await refuseFewerChecks(settings);
await printMachineFacts();
const defaults = values.short ? shortAmount : fullAmount;
const amount = {
  ...defaults,
  rounds: Number(values.rounds ?? defaults.rounds),
  latencies: latencies ?? defaults.latencies,
  events: [...defaults.events, ...(values["ten-million"] ? [10_000_000] : [])],
};
const cores = findCores();
cores.measuring(process.pid);
for (const [name, run] of Object.entries(contests)) {
  if (!isChosen(name)) continue;
  const before = loadavg()[0] ?? Number.NaN;
  const report = await run({ amount, cores, settings, servers, works });
  const changed = Object.keys(settings).length > 0 ? `; with ${values.set}` : "";
  const conditions = `Node ${process.version}; ${cores.description}; ${amount.rounds} rounds, medians (least–most); load average ${before.toFixed(1)} before and ${(loadavg()[0] ?? Number.NaN).toFixed(1)} after${changed}.`;
  const whole = { ...report, markdown: `${conditions}\n\n${report.markdown}` };
  console.log(`\n${whole.markdown}`);
  if (values.write) await publish(whole);
}

/** The ones that a list with commas names, in their own order. Without a list: all. */
function chosen<T>(list: string | undefined, all: readonly T[], isNamed: (one: T, part: string) => boolean): T[] {
  if (list === undefined) return [...all];
  const parts = list.split(",");
  const unknown = parts.find((part) => !all.some((one) => isNamed(one, part)));
  if (unknown !== undefined) refuse(`"${unknown}" is not known.`);
  return all.filter((one) => parts.some((part) => isNamed(one, part)));
}
