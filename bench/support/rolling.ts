// Restarts three gateways on one PostgreSQL one after the other under load. Each reader must have read the stored log exactly
// once, and no client may be refused.
import { startPostgres } from "../../test/support/postgres/postgresServer.ts";
import { rollGateways } from "../../test/durability/rolling.ts";
import { sessionsInPostgres } from "./databases.ts";
import { countOrderedEvents, sumCounts, countEvents, type EventCounts } from "./eventCounts.ts";

export async function rollRestarts(restarts: number): Promise<EventCounts> {
  await using server = await startPostgres({ fsync: true });
  const options = { database: server.url, gateways: 3, restarts, readers: 100, webhooks: 200 };
  const { acknowledged, sessionIds, errors, exitCodes } = await rollGateways(options);
  const stored = await sessionsInPostgres(server.url);
  if (errors.length > 0) throw new Error(`clients had errors: ${JSON.stringify(errors.slice(0, 3))}`);
  if (exitCodes.some((code) => code !== 0)) throw new Error(`gateways ended with ${exitCodes.join()}`);
  return sumCounts([countEvents(acknowledged, stored), ...sessionIds.map((one) => countOrderedEvents(stored, one))]);
}
