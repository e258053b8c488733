// `npm run bench:soak`: 20 minutes of 1,000 webhooks a second, subscribers that come and go, queries and created tasks. Ends with 1
// if an event is missing or doubled, if the load is not reached, if handles or subscriptions stay, or if memory grows by 1 % or
// more in ten minutes.
import { readCommandLine } from "./support/commandLine.ts";
import { printMachineFacts } from "./support/machineFacts.ts";
import { heldMetrics, runSoak } from "./support/soakRun.ts";

const { values, refuse } = readCommandLine({
  run: "npm run bench:soak",
  names: ["soak"],
  options: { minutes: { type: "string", default: "20" } },
  written: "[--minutes 20]",
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) refuse("--minutes is above 0.");
/** Shorter runs cannot tell growth from noise. */
const JUDGED_MINUTES = 10;
const MAX_GROWTH = 0.01;
const WEBHOOKS_PER_SECOND = 1000;

await printMachineFacts();
let shownAt = 0;
const report = await runSoak({
  seconds: minutes * 60,
  webhooksPerSecond: WEBHOOKS_PER_SECOND,
  subscribers: 100,
  warmUp: 0.25,
  onSample(seconds, memoryMb) {
    if (seconds < shownAt) return;
    shownAt += 30;
    console.log(`  ${seconds.toFixed(0).padStart(5)} s  ${memoryMb.toFixed(0)} MB`);
  },
});
const { before, after, growth, missing, doubled } = report;
const perSecond = report.sent / (minutes * 60);
console.log(`\n${report.sent} webhooks (${perSecond.toFixed(0)}/s), ${missing} missing, ${doubled} doubled`);
console.log(`${report.visits} subscribers came and went, ${report.queries} queries, ${report.created} tasks`);
for (const name of heldMetrics) console.log(`${name}: ${before[name]} before, ${after[name]} after`);
console.log(`memory after the warm-up: ${(growth * 100).toFixed(2)} % in ten minutes`);
const isHeld = heldMetrics.some((name) => after[name] > before[name]);
const grows = minutes >= JUDGED_MINUTES && growth >= MAX_GROWTH;
// A slower load proves less.
const isSlow = perSecond < WEBHOOKS_PER_SECOND * 0.95;
if (isSlow)
  console.log(`The load did not reach ${WEBHOOKS_PER_SECOND} webhooks a second: the machine is busy or too slow.`);
process.exit(missing + doubled > 0 || isHeld || grows || isSlow ? 1 : 0);
