// `npm run bench:import`: imports many calls from a sandbox beside live webhooks, at the default rate and as fast as it can. Ends with 1 if a call is
// missing, or if more than one live event in a hundred took longer than `--at-most` milliseconds.
import { benchImport } from "./importing.ts";
import { readCommandLine } from "./support/commandLine.ts";
import { printMachineFacts } from "./support/machineFacts.ts";

const { values, refuse } = readCommandLine({
  run: "npm run bench:import",
  names: [],
  options: {
    calls: { type: "string", default: "1000000" },
    ms: { type: "string", default: "10000" },
    "at-most": { type: "string", default: "250" },
  },
  written: "[--calls 1000000] [--ms 10000] [--at-most 250]",
});
const [calls, ms, atMost] = [Number(values.calls), Number(values.ms), Number(values["at-most"])];
if (!(Math.min(calls, ms, atMost) >= 1)) refuse("Each number is 1 at least.");

await printMachineFacts();
const latest = await benchImport({ imported: calls, ms });
const isKept = latest <= atMost;
console.log(`\nlive events at p99: ${latest.toFixed(0)} ms, ${isKept ? "within" : "later than"} ${atMost} ms`);
process.exitCode = isKept ? 0 : 1;
