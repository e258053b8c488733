// `npm run bench:start`: fills a SQLite log, starts gateways on it, and measures the time from the start of the process to its first
// answer and to /readyz. Before one start the gateway stopped normally, before the next one it was killed. Ends with 1 if an answer
// is wrong or later than 2 s.
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { temporaryDirectory } from "../test/support/gateway.ts";
import { until } from "../test/support/until.ts";
import { readCommandLine } from "./support/commandLine.ts";
import { fillLog } from "./support/fillLog.ts";
import { startGateway, type BenchGateway } from "./support/gateway.ts";
import { printMachineFacts } from "./support/machineFacts.ts";

const { values, refuse } = readCommandLine({
  run: "npm run bench:start",
  names: ["start"],
  options: { events: { type: "string", default: "10000000" }, rounds: { type: "string", default: "3" } },
  written: "[--events 10000000] [--rounds 3]",
});
const [events, rounds] = [Number(values.events), Number(values.rounds)];
if (!(events >= 1 && rounds >= 1)) refuse("--events and --rounds are 1 at least.");

const MAX_MS = 2000;
const QUERY = "{ callEndedEvents(first: 10, order: NEWEST_FIRST) { nodes { sessionId } } }";

async function askNewest(gateway: BenchGateway): Promise<string | undefined> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: gateway.authorization },
    body: JSON.stringify({ query: QUERY }),
  });
  const { data } = (await response.json()) as { data: { callEndedEvents: { nodes: { sessionId: string }[] } } };
  return data.callEndedEvents.nodes[0]?.sessionId;
}

/** Makes the system forget the pages of a file (GNU dd). */
function dropFromMemory(path: string): void {
  execFileSync("dd", [`of=${path}`, "oflag=nocache", "conv=notrunc,fdatasync", "count=0"], { stdio: "ignore" });
}

/** How long the same start takes without a log, with which the others compare, and with agents, which it must not load without MCP=on. */
async function measureEmpty(): Promise<void> {
  for (const [name, settings] of [
    ["an empty log", {}],
    ["an empty log and MCP=on", { MCP: "on" }],
  ] as const) {
    const began = performance.now();
    await using gateway = await startGateway({ settings });
    await askNewest(gateway);
    const answered = Math.round(performance.now() - began);
    const { cpuMs } = await gateway.meter();
    console.log(`  with ${name}: first answer after ${answered} ms, ${Math.round(cpuMs)} ms of processor time`);
  }
}

/** Resolves with whether the answer was right and in time. */
async function measure(database: string, before: string, end: "stop" | "kill"): Promise<boolean> {
  const began = performance.now();
  const elapsed = () => Math.round(performance.now() - began);
  await using gateway = await startGateway({ database });
  const newest = await askNewest(gateway);
  const answered = elapsed();
  const readiness = await until(async () => {
    const response = await fetch(`${gateway.url}/readyz`);
    const text = await response.text();
    return response.status === 200 && text.trim();
  });
  const ready = elapsed();
  console.log(`  ${before}: first answer after ${answered} ms, ready after ${ready} ms (${readiness})`);
  if (end === "stop") await gateway.stop();
  return newest === `start-${String(events).padStart(12, "0")}` && answered <= MAX_MS;
}

await printMachineFacts();
await using directory = await temporaryDirectory();
const file = directory.database.slice("file:".length);
const began = performance.now();
await fillLog(file, events);
const gigabytes = (statSync(file).size / 1e9).toFixed(1);
console.log(`\n${events} events, ${gigabytes} GB, filled in ${((performance.now() - began) / 1000).toFixed(0)} s`);
// The first start on a machine also compiles the sources.
await (await startGateway({})).stop();
let isFine = true;
for (let round = 0; round < rounds; round += 1) {
  await measureEmpty();
  if (round === 0) dropFromMemory(file);
  const before = round === 0 ? "with nothing of the file in memory" : "after a kill";
  isFine = (await measure(directory.database, before, "stop")) && isFine;
  isFine = (await measure(directory.database, "after a normal stop", "kill")) && isFine;
}
isFine = (await measure(directory.database, "after a kill", "stop")) && isFine;
if (!isFine) console.log(`An answer was wrong or later than ${MAX_MS} ms: compare it with an empty log.`);
process.exitCode = isFine ? 0 : 1;
