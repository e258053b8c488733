// `npm run bench`: runs all benchmarks except ablation and resume, or the named ones. `--short` is a quick run; `--profile DIR` writes
// profiles of the gateway. It prints figures and does not judge them.
import { benchAblation } from "./ablation.ts";
import { benchAbuse } from "./abuse.ts";
import { benchBurst } from "./burst.ts";
import { benchHostile } from "./hostile.ts";
import { benchLive } from "./live.ts";
import { benchPolling } from "./polling.ts";
import { benchQueries } from "./queries.ts";
import { benchRecordings } from "./recordings.ts";
import { benchRequests } from "./requests.ts";
import { benchResume } from "./resume.ts";
import { readCommandLine } from "./support/commandLine.ts";
import { shortEffort, fullEffort, type Effort } from "./support/effort.ts";
import { printMachineFacts } from "./support/machineFacts.ts";
import { benchWebhooks } from "./webhooks.ts";

const benchmarks: Record<string, (effort: Effort) => Promise<void>> = {
  requests: benchRequests,
  polling: benchPolling,
  queries: benchQueries,
  webhooks: benchWebhooks,
  burst: benchBurst,
  live: benchLive,
  recordings: benchRecordings,
  ablation: (effort) => benchAblation(effort),
  async hostile(effort) {
    await benchHostile(effort);
    await benchAbuse(effort);
  },
  resume: benchResume,
};

/** Each takes as long as all others together. */
const ONLY_BY_NAME = ["ablation", "resume"];

const { values, isChosen } = readCommandLine({
  run: "npm run bench",
  names: Object.keys(benchmarks),
  options: { short: { type: "boolean" }, profile: { type: "string" } },
  written: "[--short] [--profile DIR]",
});
const effort: Effort = { ...(values.short ? shortEffort : fullEffort), profiles: values.profile ?? null };
await printMachineFacts();
for (const [name, bench] of Object.entries(benchmarks)) {
  if (isChosen(name) && (!ONLY_BY_NAME.includes(name) || process.argv.includes(name))) await bench(effort);
}
