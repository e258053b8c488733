// Reads what a PostgreSQL server does for the gateways: its processor time, its statements, and by samples how often the log's lock
// is held. The meter's own connection is in another database and is not counted.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openClient } from "../../test/support/postgres/connections.ts";
import { startPostgres } from "../../test/support/postgres/postgresServer.ts";

export interface PostgresReading {
  /** Processor time of all its processes. */
  cpuMs: number;
  statements: number;
  /** How often the log's lock was taken, which is once for each commit to the log, and how long the gateways waited for it. */
  commits: number;
  lockWaitMs: number;
  walBytes: number;
  databaseBytes: number;
}

export interface PostgresSamples {
  /** The part of the time in which the log's lock was held. */
  lockHeld: number;
  connections: number;
  /** The most connections that were in use at the same time. */
  mostActive: number;
}

export interface MeteredPostgres extends AsyncDisposable {
  /** The database of the gateways. */
  url: string;
  /** What was used since the last call. */
  meter(): Promise<PostgresReading>;
  /** Samples while `work` runs. */
  sample<T>(work: () => Promise<T>): Promise<[T, PostgresSamples]>;
}

const DATABASE = "scaling";
const SAMPLE_EVERY_MS = 10;

const COUNTERS = `select
  coalesce(sum(calls), 0)::float8 as statements,
  coalesce(sum(calls) filter (where query like '%pg_advisory_xact_lock%'), 0)::float8 as commits,
  coalesce(sum(total_exec_time) filter (where query like '%pg_advisory_xact_lock%'), 0)::float8 as "lockWaitMs",
  (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as "walBytes",
  pg_database_size('${DATABASE}')::float8 as "databaseBytes"
  from pg_stat_statements where dbid = (select oid from pg_database where datname = '${DATABASE}')`;
const SAMPLE = `select
  exists (select 1 from pg_locks where locktype = 'advisory' and granted) as held,
  (select count(*)::int from pg_stat_activity where datname = '${DATABASE}') as connections,
  (select count(*)::int from pg_stat_activity where datname = '${DATABASE}' and state <> 'idle') as active`;

/** Each commit is synced to the disk, as in production. */
export async function startMeteredPostgres(): Promise<MeteredPostgres> {
  await using parts = new AsyncDisposableStack();
  const settings = { shared_preload_libraries: "pg_stat_statements" };
  const server = parts.use(await startPostgres({ fsync: true, settings }));
  const client = await openClient({ connectionString: server.url });
  parts.defer(() => client.end());
  await client.query("create extension pg_stat_statements");
  await client.query(`create database ${DATABASE}`);
  const { rows } = await client.query("select current_setting('data_directory') as directory, pg_backend_pid() as own");
  const { directory, own } = rows[0] as { directory: string; own: number };
  const postmaster = Number(readFileSync(join(directory, "postmaster.pid"), "utf8").split("\n", 1)[0]);

  const processorMs = createProcessorClock(postmaster, own);

  async function read(): Promise<PostgresReading> {
    const counters = (await client.query(COUNTERS)).rows[0] as Omit<PostgresReading, "cpuMs">;
    return { ...counters, cpuMs: processorMs() };
  }
  let last = await read();
  const running = parts.move();
  return {
    url: Object.assign(new URL(server.url), { pathname: `/${DATABASE}` }).href,
    async meter() {
      const before = last;
      last = await read();
      const since = Object.entries(last).map(([name, value]) => [name, value - before[name as keyof PostgresReading]]);
      return Object.fromEntries(since) as PostgresReading;
    },
    async sample(work) {
      const over = new AbortController();
      const samples: { held: boolean; connections: number; active: number }[] = [];
      const sampling = (async () => {
        while (!over.signal.aborted) {
          samples.push((await client.query(SAMPLE)).rows[0] as (typeof samples)[number]);
          await pause(SAMPLE_EVERY_MS);
        }
      })();
      const result = await work().finally(() => over.abort());
      await sampling;
      return [
        result,
        {
          lockHeld: samples.filter(({ held }) => held).length / samples.length,
          connections: Math.max(...samples.map(({ connections }) => connections)),
          mostActive: Math.max(...samples.map(({ active }) => active)),
        },
      ];
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Adds up what a process and its children run, apart from one. What a child runs after the last reading before its end is lost. */
function createProcessorClock(first: number, without: number): () => number {
  const known = new Map<string, number>();
  let totalMs = 0;
  return () => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      if (Number(pid) === without || (Number(pid) !== first && parentOf(pid) !== first)) continue;
      const ms = Number(readProcess(pid, "schedstat").split(" ", 1)[0]) / 1e6;
      totalMs += ms - (known.get(pid) ?? 0);
      known.set(pid, ms);
    }
    return totalMs;
  };
}

function parentOf(pid: string): number {
  return Number(/^PPid:\s*(\d+)$/m.exec(readProcess(pid, "status"))?.[1]);
}

/** Empty for a process that has ended. */
function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
