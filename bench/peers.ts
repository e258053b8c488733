// `npm run bench:peers`: compares the gateway with other servers, which are installed in bench/peers. Runs all contests, or
// the named ones. `--short` is a quick run. `--write` puts tables and charts into docs/. `--set NAME=VALUE` sets a variable
// of the gateway, unless the gateway would then check less than by default.
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
import { queryServers } from "./contest/queryServers.ts";
import { queryWorks } from "./contest/queryWork.ts";
import type { Environment } from "../test/support/program.ts";
import { readCommandLine } from "./support/commandLine.ts";
import { findCores, type Cores } from "./support/cores.ts";
import { printMachineFacts } from "./support/machineFacts.ts";
import { publish, type Report } from "./support/publish.ts";

interface Conditions {
  amount: Amount;
  cores: Cores;
  settings: Environment;
}

const contests: Record<string, (conditions: Conditions) => Promise<Report>> = {
  async queries({ amount, cores, settings }) {
    const servers = queryServers(settings);
    const { latencies } = amount;
    return reportQueries(await contestQueries({ servers, works: Object.values(queryWorks), latencies, amount, cores }));
  },
  fanout: async ({ settings, amount, cores }) => reportFanout(await contestFanout(settings, amount, cores)),
  webhooks: async ({ settings, amount, cores }) => reportWebhooks(await contestWebhooks(settings, amount, cores)),
  start: async ({ settings, amount, cores }) => reportStart(await contestStart(queryServers(settings), amount, cores)),
  growth: async ({ settings, amount, cores }) => measureGrowth(settings, amount, cores),
};

const { values, isChosen } = readCommandLine({
  run: "npm run bench:peers",
  names: Object.keys(contests),
  options: {
    short: { type: "boolean" },
    write: { type: "boolean" },
    rounds: { type: "string" },
    "ten-million": { type: "boolean" },
    set: { type: "string", multiple: true },
  },
  written: "[--short] [--write] [--rounds N] [--ten-million] [--set NAME=VALUE]…",
});
if (!existsSync(new URL("peers/node_modules", import.meta.url))) {
  console.error("The other servers are not installed: npm ci --prefix bench/peers");
  process.exit(69);
}
const settings = Object.fromEntries(
  (values.set ?? []).map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string]),
);
await refuseFewerChecks(settings);
await printMachineFacts();
const defaults = values.short ? shortAmount : fullAmount;
const amount = {
  ...defaults,
  rounds: Number(values.rounds ?? defaults.rounds),
  events: [...defaults.events, ...(values["ten-million"] ? [10_000_000] : [])],
};
const cores = findCores();
cores.measuring(process.pid);
for (const [name, run] of Object.entries(contests)) {
  if (!isChosen(name)) continue;
  const before = loadavg()[0] ?? Number.NaN;
  const report = await run({ amount, cores, settings });
  const changed = Object.keys(settings).length > 0 ? `; with ${values.set?.join(", ")}` : "";
  const conditions = `Node ${process.version}; ${cores.description}; ${amount.rounds} rounds, medians (least–most); load average ${before.toFixed(1)} before and ${(loadavg()[0] ?? Number.NaN).toFixed(1)} after${changed}.`;
  const whole = { ...report, markdown: `${conditions}\n\n${report.markdown}` };
  console.log(`\n${whole.markdown}`);
  if (values.write) await publish(whole);
}
