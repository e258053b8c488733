// Kills the primary of two PostgreSQL servers with synchronous replication under load, and promotes the standby, again and again. A new
// standby then copies the new primary.
import { emptySandbox } from "../support/emptySandbox.ts";
import { startGateway } from "../support/gateway.ts";
import { askPostgres } from "../support/postgres/askPostgres.ts";
import { startPostgres, type PostgresServer } from "../support/postgres/postgresServer.ts";
import { until } from "../support/until.ts";
import { startCreates } from "./creates.ts";
import { QUIET, startLoad } from "./load.ts";
import { openReader } from "./reader.ts";

export interface FailoverOptions {
  failovers: number;
  gateways: number;
  readers: number;
  /** The least number of webhooks that are acknowledged before each failover. */
  webhooks: number;
}

export interface FailoverResult {
  acknowledged: readonly string[];
  /** The session ids of the log, in order. */
  stored: readonly string[];
  /** The session ids that each reader received. */
  sessionIds: readonly (readonly string[])[];
  /** The statuses of webhooks that were not acknowledged at once. */
  refusals: readonly number[];
  submitted: readonly string[];
  sent: readonly string[];
  /** From the kill to the first acknowledged webhook, each in ms. */
  outagesMs: readonly number[];
}

/** A commit waits until the standby has it on disk. */
const SETTINGS = { synchronous_standby_names: "*", wal_keep_size: "512MB" };
const WEBHOOKS_PER_CREATE = 10;

export async function failOver(options: FailoverOptions): Promise<FailoverResult> {
  await using parts = new AsyncDisposableStack();
  const servers: PostgresServer[] = [];
  parts.defer(async () => void (await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))));
  const first = await startPostgres({ fsync: true, settings: SETTINGS });
  servers.push(first);
  servers.push(await startPostgres({ fsync: true, settings: SETTINGS, standbyOf: first }));
  const sandbox = parts.use(await emptySandbox());
  const ports = servers.map(({ port }) => port);
  const { username, password } = new URL(first.url);
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join();
  const database = `postgres://${username}:${password}@${hosts}/postgres?target_session_attrs=read-write`;
  const env = { ...QUIET, DRAIN_SECONDS: "1", DATABASE_URL: database };
  const running = await Promise.all(Array.from({ length: options.gateways }, () => startGateway(sandbox, env)));
  for (const gateway of running) parts.use(gateway);
  let turn = 0;
  const gateway = () => running[(turn += 1) % running.length] as (typeof running)[number];
  const readers = Array.from({ length: options.readers }, () => parts.use(openReader(() => gateway().url)));
  await Promise.all(readers.map(({ subscribed }) => subscribed));
  const load = startLoad({ gateway, writers: 8 });
  const mayCreate = (made: number) => load.acknowledged.length >= made * WEBHOOKS_PER_CREATE;
  const creates = startCreates({ gateway, sandbox, mayCreate });
  const outagesMs: number[] = [];
  for (let at = 0; at < options.failovers; at += 1) {
    await load.waitForMore(options.webhooks);
    const [primary, standby] = servers as [PostgresServer, PostgresServer];
    const killedAt = performance.now();
    await primary.kill();
    await primary[Symbol.asyncDispose]();
    await standby.promote();
    const successor = await startPostgres({ fsync: true, settings: SETTINGS, standbyOf: standby, port: primary.port });
    servers.splice(0, 2, standby, successor);
    await load.waitForMore(1);
    outagesMs.push(performance.now() - killedAt);
  }
  await load.waitForMore(options.webhooks);
  await Promise.all([load.stop(), creates.stop()]);
  const rows = await askPostgres((servers[0] as PostgresServer).url, "select session_id from events order by seq");
  const stored = rows.map((row) => String(row["session_id"]));
  await until(() => readers.every(({ sessionIds }) => sessionIds.length >= stored.length));
  return {
    acknowledged: load.acknowledged,
    stored,
    sessionIds: readers.map(({ sessionIds }) => [...sessionIds]),
    refusals: [...load.refusals.keys()],
    submitted: creates.submitted,
    sent: creates.sent(),
    outagesMs,
  };
}
