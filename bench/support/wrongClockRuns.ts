// Gateways whose clocks are 100 days ahead and behind, which purge five times a second. They run in turns on one SQLite file, and beside a right
// one on PostgreSQL. libfaketime sets the clock of the whole process, so the bench needs it.
import { fileURLToPath } from "node:url";
import { faketimeLibrary } from "../../scripts/testMatrix/faketimeLibrary.ts";
import { restartWithClocks, runBesideEachOther, type ClocksResult } from "../../test/durability/wrongClocks.ts";
import { emptySandbox } from "../../test/support/emptySandbox.ts";
import { spawnGateway } from "../../test/support/gateway.ts";
import { askPostgres } from "../../test/support/postgres/askPostgres.ts";
import { until } from "../../test/support/until.ts";
import { openFiles, openServer } from "./databases.ts";
import { countEvents, sumCounts, type EventCounts } from "./eventCounts.ts";

const PROGRAM = fileURLToPath(new URL("../programs/purgingGateway.ts", import.meta.url));

function startOn(database: string, service: { url: string }) {
  return async (daysAhead: number) => {
    const clock = {
      LD_PRELOAD: faketimeLibrary(),
      FAKETIME: `${daysAhead >= 0 ? "+" : ""}${daysAhead}d`,
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
    const env = { DATABASE_URL: database, DRAIN_SECONDS: "0", RECONCILE_INTERVAL_S: "1", RATE_LIMIT: "1000000" };
    return spawnGateway(service, { ...env, ...(daysAhead === 0 ? {} : clock) }, PROGRAM);
  };
}

function countsOf(database: string, result: ClocksResult, stored: readonly string[]): EventCounts {
  if (result.notReplayed.length > 0) throw new Error(`${result.notReplayed.length} keys were free again`);
  const counts = {
    webhooks: countEvents(result.acknowledged, stored),
    tasks: countEvents(result.submitted, result.sent),
  };
  for (const [what, { acknowledged, found, missing, twice }] of Object.entries(counts))
    console.log(
      `  ${database}, ${what}: acknowledged ${acknowledged}, found ${found}, missing ${missing}, twice ${twice}`,
    );
  return sumCounts(Object.values(counts));
}

export async function runWrongClocks(rounds: number): Promise<EventCounts> {
  // Before anything is started.
  faketimeLibrary();
  const each = { webhooks: 20, tasks: 2 };
  await using sandbox = await emptySandbox();
  await using files = await openFiles();
  const file = await files.create("clocks");
  const days = [0, ...Array.from({ length: rounds }, () => [100, 0, -100, 0]).flat()];
  const alone = await restartWithClocks({ start: startOn(file, sandbox), sandbox, ...each }, days);
  const first = countsOf("SQLite", alone, await files.sessionsIn(file));

  await using second = await emptySandbox();
  await using server = await openServer();
  const database = await server.create("clocks");
  const asOf = async () => (await askPostgres(database, "select value from settings where name = 'purged_as_of'"))[0];
  const purged = async () => {
    const before = JSON.stringify(await asOf());
    await until(async () => JSON.stringify(await asOf()) !== before);
  };
  const options = { start: startOn(database, second), sandbox: second, purged, rounds: 2 * rounds, ...each };
  const shared = await runBesideEachOther(options, [0, 100, -100]);
  return sumCounts([first, countsOf("PostgreSQL", shared, await server.sessionsIn(database))]);
}
