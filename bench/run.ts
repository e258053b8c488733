// `npm run bench`: runs all benchmarks except ablation, or the named ones. `--short` is a quick run; `--profile DIR` writes profiles of the
// gateway. It prints figures and does not judge them.
import { benchAblation } from "./ablation.ts";
import { benchAbuse } from "./abuse.ts";
import { benchBurst } from "./burst.ts";
import { benchHostile } from "./hostile.ts";
import { benchLive } from "./live.ts";
import { benchPolling } from "./polling.ts";
import { benchQueries } from "./queries.ts";
import { benchRecordings } from "./recordings.ts";
import { benchRequests } from "./requests.ts";
import { readCommandLine } from "./support/commandLine.ts";
import { short, whole, type Extent } from "./support/extent.ts";
import { printFacts } from "./support/facts.ts";
import { benchWebhooks } from "./webhooks.ts";

const benchmarks: Record<string, (extent: Extent) => Promise<void>> = {
  requests: benchRequests,
  polling: benchPolling,
  queries: benchQueries,
  webhooks: benchWebhooks,
  burst: benchBurst,
  live: benchLive,
  recordings: benchRecordings,
  ablation: (extent) => benchAblation(extent),
  async hostile(extent) {
    await benchHostile(extent);
    await benchAbuse(extent);
  },
};

/** Takes as long as all others, and compares the gateway with itself. */
const ONLY_BY_NAME = "ablation";

const { values, isChosen } = readCommandLine({
  run: "npm run bench",
  names: Object.keys(benchmarks),
  options: { short: { type: "boolean" }, profile: { type: "string" } },
  written: "[--short] [--profile DIR]",
});
const extent: Extent = { ...(values.short ? short : whole), profiles: values.profile ?? null };
await printFacts();
for (const [name, bench] of Object.entries(benchmarks)) {
  if (isChosen(name) && (name !== ONLY_BY_NAME || process.argv.includes(name))) await bench(extent);
}
