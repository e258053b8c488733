// Replaces three gateways on one PostgreSQL one after the other under load. Each reader must have read the stored log exactly
// once, each task must have been created once, and no client may be refused.
import { rollGateways } from "../../test/durability/rolling.ts";
import { unpackCommit, unpackVersion, versionBefore } from "../../test/support/earlierVersion.ts";
import { startPostgres } from "../../test/support/postgres/postgresServer.ts";
import { sessionsInPostgres } from "./databases.ts";
import { countOrderedEvents, sumCounts, countEvents, type EventCounts } from "./eventCounts.ts";

const GATEWAYS = 3;

export async function rollRestarts(restarts: number, firstMain?: string): Promise<EventCounts> {
  await using server = await startPostgres({ fsync: true });
  const options = { database: server.url, gateways: GATEWAYS, restarts, readers: 100, webhooks: 200 };
  const result = await rollGateways({ ...options, ...(firstMain === undefined ? {} : { firstMain }) });
  const { acknowledged, sessionIds, errors, exitCodes, submitted, sent } = result;
  const stored = await sessionsInPostgres(server.url);
  if (errors.length > 0) throw new Error(`clients had errors: ${JSON.stringify(errors.slice(0, 3))}`);
  if (exitCodes.some((code) => code !== 0)) throw new Error(`gateways ended with ${exitCodes.join()}`);
  console.log(`  ${submitted.length} tasks submitted, ${sent.length} created`);
  return sumCounts([
    countEvents(acknowledged, stored),
    countEvents(submitted, sent),
    ...sessionIds.map((one) => countOrderedEvents(stored, one)),
  ]);
}

/** All gateways begin as the version of a commit, by default the kept version, and end as this one, `times` times. */
export async function rollUpgrades(commit: string | undefined, times: number): Promise<EventCounts> {
  using earlier = commit === undefined ? unpackVersion(versionBefore()) : unpackCommit(commit);
  const counts: EventCounts[] = [];
  for (let made = 0; made < times; made += 1) counts.push(await rollRestarts(GATEWAYS, earlier.main));
  return sumCounts(counts);
}
