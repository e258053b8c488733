// Kills two gateways in turns, and their PostgreSQL, while webhooks arrive and destinations deliver them to three receivers,
// into a folder and a bucket, and to the brokers that are installed.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NO_SERVICE, spawnGateway, temporaryDirectory, type GatewayProgram } from "../support/gateway.ts";
import { askPostgres } from "../support/postgres/askPostgres.ts";
import { startPostgres } from "../support/postgres/postgresServer.ts";
import { until } from "../support/until.ts";
import { startPlaces } from "./destinationPlaces.ts";
import { manners, startReceivers, type Arrival } from "./destinationReceivers.ts";
import { QUIET, startLoad } from "./load.ts";

export interface DestinationKills {
  /** Each is of one gateway, and each fifth one also of PostgreSQL. */
  kills: number;
  /** The least number of events for each kill. */
  events: number;
}

export interface DestinationKillsResult {
  acknowledged: readonly string[];
  /** The session IDs of the log, in order. */
  stored: readonly string[];
  /** By the name of the destination, such as `away-strict`. */
  arrivals: ReadonlyMap<string, readonly Arrival[]>;
  postgresKills: number;
}

const MAIN = fileURLToPath(new URL("destinationGateway.ts", import.meta.url));
const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const KILLS_FOR_POSTGRES = 5;
const KILLS_FOR_BROKERS = 2;
/** Only ends what hangs. */
const WITHIN_MS = 600_000;
/** Longer than a takeover: after this time without an arrival, what is missing does not come any more. */
const SILENCE_MS = 60_000;

const names = manners.flatMap((manner) => (["strict", "free"] as const).map((order) => `${manner}-${order}`));

export async function killDestinations({ kills, events }: DestinationKills): Promise<DestinationKillsResult> {
  await using parts = new AsyncDisposableStack();
  const server = parts.use(await startPostgres({ fsync: true }));
  const receivers = parts.use(await startReceivers());
  const places = parts.use(await startPlaces());
  const directory = parts.use(await temporaryDirectory());
  const file = join(directory.path, "destinations.json");
  const definitions = names.map((name) => {
    const order = name.endsWith("strict") ? "strict" : "free";
    return { name, kind: "event", url: receivers.urlOf(name), secrets: [SECRET], order, from: "oldest" };
  });
  await writeFile(file, JSON.stringify([...definitions, ...places.definitions]));
  const env = {
    ...QUIET,
    DATABASE_URL: server.url,
    DESTINATIONS_FILE: file,
    DESTINATION_HOSTS: [receivers.host, ...places.hosts].join(","),
    LOG_LEVEL: "info",
  };
  const start = () => spawnGateway(NO_SERVICE, env, MAIN);
  const running: GatewayProgram[] = [await start(), await start()];
  parts.defer(async () => void (await Promise.all(running.map((gateway) => gateway[Symbol.asyncDispose]()))));
  let turn = 0;
  const gateway = () => running[(turn += 1) % running.length] as GatewayProgram;
  let made = 0;
  let allowed = 0;
  const mayDeliver = () => (made < allowed ? ((made += 1), true) : false);
  const load = startLoad({ gateway, writers: 4, mayDeliver });
  let postgresKills = 0;
  /** Kills while events are under way: after a random part of those that the kill is for has arrived. */
  async function kill(at: number): Promise<void> {
    const before = receivers.arrivals("right-free").length;
    const some = Math.ceil(Math.random() * events);
    allowed += events;
    await until(() => receivers.arrivals("right-free").length - before >= some || load.acknowledged.length >= allowed);
    if (at % KILLS_FOR_POSTGRES === KILLS_FOR_POSTGRES - 1) {
      postgresKills += 1;
      await server.kill();
      await server.start();
    }
    if (at % KILLS_FOR_POSTGRES === KILLS_FOR_BROKERS) await places.kill();
    const [oldest] = running as [GatewayProgram];
    oldest.process.kill("SIGKILL");
    running.shift();
    await oldest[Symbol.asyncDispose]();
    running.push(await start());
  }
  for (let at = 0; at < kills; at += 1) {
    if (at === Math.floor(kills / 2)) receivers.comeBack();
    await kill(at);
  }
  await until(() => load.acknowledged.length >= allowed, WITHIN_MS);
  await load.stop();
  const rows = await askPostgres(server.url, "select session_id from events order by seq");
  const stored = rows.map((row) => String(row["session_id"]));
  const readAll = async () =>
    new Map([...names.map((name) => [name, receivers.arrivals(name)] as const), ...(await places.arrivals())]);
  const arrived = async () => [...(await readAll()).values()].reduce((sum, each) => sum + each.length, 0);
  let [last, lastAt] = [await arrived(), performance.now()];
  // What is missing is counted by the callers.
  await until(async () => {
    const all = await readAll();
    const count = await arrived();
    if (count > last) [last, lastAt] = [count, performance.now()];
    const isComplete = [...all.values()].every((each) => takenFirst(each).length >= stored.length);
    return isComplete || performance.now() - lastAt > SILENCE_MS;
  }, WITHIN_MS);
  return { acknowledged: load.acknowledged, stored, arrivals: await readAll(), postgresKills };
}

/** Session IDs by the first arrival that was taken, in order. */
export const takenFirst = (arrivals: readonly Arrival[]): string[] => [
  ...new Set(arrivals.flatMap(({ isTaken, sessionId }) => (isTaken ? sessionId : []))),
];

/** Session IDs that came with more than one id, and ids that came with more than one session. */
export function differingIds(arrivals: readonly Arrival[]): string[] {
  const [ids, sessions] = [new Map<string, string>(), new Map<string, string>()];
  return arrivals.flatMap(({ id, sessionId }) => {
    const isSame = (ids.get(sessionId) ?? id) === id && (sessions.get(id) ?? sessionId) === sessionId;
    ids.set(sessionId, id);
    sessions.set(id, sessionId);
    return isSame ? [] : [sessionId];
  });
}
