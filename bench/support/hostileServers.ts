// Kills a PostgreSQL server with each hostile setting while webhooks arrive. Where a start is not refused for the setting, each
// acknowledged webhook must be in the log once.
import { openStore } from "../../src/store/store.ts";
import { silentLog } from "../../test/support/silentLog.ts";
import { until } from "../../test/support/until.ts";
import { hostileSettings, startHostileServer, type HostileSetting } from "../../test/durability/hostileSettings.ts";
import { sessionsInPostgres } from "./databases.ts";
import { createDeliverer } from "./deliverer.ts";
import { countEvents, sumCounts, type EventCounts } from "./eventCounts.ts";
import { startGateway } from "./gateway.ts";

const CONNECTIONS = 16;
/** Webhooks that are acknowledged between two kills, at least. */
const BETWEEN_KILLS = 100;

export async function killHostileServers(kills: number): Promise<EventCounts> {
  const all: EventCounts[] = [];
  for (const setting of hostileSettings) {
    const counts = setting.refused === null ? await killUnderLoad(setting, kills) : await expectRefusal(setting);
    const { acknowledged, missing } = counts;
    const result =
      setting.refused === null ? `${acknowledged} acknowledged, ${missing} missing` : "refused at the start";
    console.log(`  ${setting.title}: ${result}`);
    all.push(counts);
  }
  return sumCounts(all);
}

/** Throws if the gateway starts, or is refused for another reason. */
async function expectRefusal(setting: HostileSetting): Promise<EventCounts> {
  await using hostile = await startHostileServer(setting);
  const reason = await openStore({ url: hostile.url, log: silentLog }).then(
    () => "it started",
    (error: Error) => error.message,
  );
  if (!setting.refused?.test(reason)) throw new Error(`${setting.title}: ${reason}`);
  return countEvents([], []);
}

async function killUnderLoad(setting: HostileSetting, kills: number): Promise<EventCounts> {
  await using hostile = await startHostileServer(setting);
  await using gateway = await startGateway({ database: hostile.url });
  const deliverer = createDeliverer();
  const { acknowledged } = deliverer;
  const stop = new AbortController();
  const delivering = Promise.all(
    Array.from({ length: CONNECTIONS }, () => deliverer.deliver(gateway.url, stop.signal)),
  );
  const waitForMore = (count: number) => {
    const total = acknowledged.length + count;
    return until(() => acknowledged.length >= total, 120_000);
  };
  for (let killed = 0; killed < kills; killed += 1) {
    await waitForMore(BETWEEN_KILLS);
    await hostile.server.kill();
    await hostile.server.start();
  }
  await waitForMore(1);
  // The last kill ends the load: what was acknowledged just before it must be there.
  stop.abort();
  await delivering;
  await deliverer.settle(gateway.url);
  await hostile.server.kill();
  await hostile.server.start();
  await gateway.stop();
  // As the owner of the server, whose settings the role's do not touch. A schema `other` holds the tables, where there is one.
  const { username, password, host } = new URL(hostile.server.url);
  const path = encodeURIComponent("-c search_path=other,public");
  const url = `postgres://${username}:${password}@${host}/calls?options=${path}`;
  return countEvents(acknowledged, await sessionsInPostgres(url));
}
