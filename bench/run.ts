// `npm run bench`: every benchmark, or those named; `-- --short` for a quick look, `-- --profile DIR` for profiles of the
// gateway. It prints figures and judges none.
import { parseArgs } from "node:util";
import { benchBurst } from "./burst.ts";
import { benchHostile } from "./hostile.ts";
import { benchLive } from "./live.ts";
import { benchPolling } from "./polling.ts";
import { benchQueries } from "./queries.ts";
import { benchRecordings } from "./recordings.ts";
import { benchRequests } from "./requests.ts";
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
  hostile: benchHostile,
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { short: { type: "boolean" }, profile: { type: "string" } },
});
const unknown = positionals.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. There are: ${Object.keys(benchmarks).join(", ")}`);
  process.exit(64);
}
const extent: Extent = { ...(values.short ? short : whole), profiles: values.profile ?? null };
await printFacts();
for (const [name, bench] of Object.entries(benchmarks)) {
  if (positionals.length === 0 || positionals.includes(name)) await bench(extent);
}
