// `npm run bench`: runs all benchmarks but those of ONLY_BY_NAME, or the named ones. `--short` is a quick run; `--profile DIR`
// writes profiles of the gateway, `--write` the tables of `scaling` into docs/. It prints figures and does not judge them.
import { benchAblation } from "./ablation.ts";
import { benchAbuse } from "./abuse.ts";
import { benchArrivals } from "./arrivals.ts";
import { benchBurst } from "./burst.ts";
import { benchConsole } from "./console.ts";
import { benchHostile } from "./hostile.ts";
import { benchImport } from "./importing.ts";
import { benchIncidents } from "./incidents.ts";
import { benchLive } from "./live.ts";
import { benchParts } from "./parts.ts";
import { benchPolling } from "./polling.ts";
import { benchQueries } from "./queries.ts";
import { benchRecordings } from "./recordings.ts";
import { benchRequests } from "./requests.ts";
import { benchResume } from "./resume.ts";
import { benchScaling } from "./scaling.ts";
import { readCommandLine } from "./support/commandLine.ts";
import { shortEffort, fullEffort, type Effort } from "./support/effort.ts";
import { printMachineFacts } from "./support/machineFacts.ts";
import { benchSystemd } from "./systemd.ts";
import { benchWebhooks } from "./webhooks.ts";

const benchmarks: Record<string, (effort: Effort) => Promise<void>> = {
  requests: benchRequests,
  polling: benchPolling,
  queries: benchQueries,
  parts: benchParts,
  arrivals: benchArrivals,
  webhooks: benchWebhooks,
  burst: benchBurst,
  live: benchLive,
  recordings: benchRecordings,
  ablation: (effort) => benchAblation(effort),
  async hostile(effort) {
    await benchHostile(effort);
    await benchAbuse(effort);
  },
  console: benchConsole,
  import: async (effort) => void (await benchImport(effort)),
  incidents: () => benchIncidents(),
  resume: benchResume,
  scaling: benchScaling,
  systemd: () => benchSystemd(values.short ? 10 : 60),
};

/** Each takes as long as all others together. */
const ONLY_BY_NAME = ["ablation", "console", "import", "incidents", "resume", "scaling", "systemd"];

const { values, isChosen } = readCommandLine({
  run: "npm run bench",
  names: Object.keys(benchmarks),
  options: { short: { type: "boolean" }, write: { type: "boolean" }, profile: { type: "string" } },
  written: "[--short] [--write] [--profile DIR]",
});
const effort: Effort = {
  ...(values.short ? shortEffort : fullEffort),
  profiles: values.profile ?? null,
  write: values.write ?? false,
};
await printMachineFacts();
for (const [name, bench] of Object.entries(benchmarks)) {
  if (isChosen(name) && (!ONLY_BY_NAME.includes(name) || process.argv.includes(name))) await bench(effort);
}
