// Settings of a PostgreSQL server, database or role that would break a promise if the gateway relied on their defaults.
import { askPostgres } from "../support/postgres/askPostgres.ts";
import { startPostgres, type PostgresServer } from "../support/postgres/postgresServer.ts";

export interface HostileSetting {
  title: string;
  /** Options of the server. */
  server?: Record<string, string>;
  /** After ALTER DATABASE, and after ALTER ROLE. */
  database?: string;
  role?: string;
  /** A schema that is made before the gateway starts. */
  schema?: string;
  encoding?: string;
  fsync?: false;
  /** The reason for which a start is refused. Null: the gateway works. */
  refused: RegExp | null;
}

export const hostileSettings: readonly HostileSetting[] = [
  { title: "synchronous_commit = off on the server", server: { synchronous_commit: "off" }, refused: null },
  { title: "synchronous_commit = off on the role", role: "set synchronous_commit = off", refused: null },
  { title: "synchronous_commit = off on the database", database: "set synchronous_commit = off", refused: null },
  {
    title: "default_transaction_isolation = serializable",
    role: "set default_transaction_isolation = serializable",
    refused: null,
  },
  {
    title: "default_transaction_isolation = repeatable read",
    role: "set default_transaction_isolation = 'repeatable read'",
    refused: null,
  },
  { title: "statement_timeout = 250 ms", role: "set statement_timeout = 250", refused: null },
  { title: "lock_timeout = 5 ms", role: "set lock_timeout = 5", refused: null },
  { title: "idle_session_timeout = 250 ms", role: "set idle_session_timeout = 250", refused: null },
  {
    title: "search_path with another schema first",
    schema: "other",
    role: "set search_path = other, public",
    refused: null,
  },
  {
    title: "default_transaction_read_only = on",
    role: "set default_transaction_read_only = on",
    refused: /default_transaction_read_only is on for the role/,
  },
  { title: "fsync = off", fsync: false, refused: /fsync is off/ },
  { title: "encoding LATIN1", encoding: "LATIN1", refused: /server_encoding is LATIN1/ },
  { title: "encoding EUC_CN", encoding: "EUC_CN", refused: /server_encoding is EUC_CN/ },
];

/** What commits without a sync stays in the server's memory for so long, and a kill loses it. */
const LATE_WRITES = { wal_writer_delay: "10s" };

export interface HostileServer extends AsyncDisposable {
  server: PostgresServer;
  /** The address of the gateway's database. */
  url: string;
}

/** Starts a server, and makes a database with a role that has the setting. */
export async function startHostileServer(setting: HostileSetting): Promise<HostileServer> {
  const { server: options, database, role, schema, encoding = "UTF8", fsync = true } = setting;
  const server = await startPostgres({ fsync, settings: { ...LATE_WRITES, ...options } });
  const locale = "lc_collate 'C' lc_ctype 'C' template template0";
  await askPostgres(server.url, "create role gateway login password 'word'");
  await askPostgres(server.url, `create database calls owner gateway encoding '${encoding}' ${locale}`);
  const { host } = new URL(server.url);
  const url = `postgres://gateway:word@${host}/calls`;
  if (schema !== undefined) await askPostgres(url, `create schema ${schema}`);
  if (database !== undefined) await askPostgres(server.url, `alter database calls ${database}`);
  if (role !== undefined) await askPostgres(server.url, `alter role gateway ${role}`);
  return { server, url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
