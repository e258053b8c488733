// PostgreSQL under Kysely: for any number of gateways on one database.
import { setTimeout as pause } from "node:timers/promises";
import { PostgresDialect, type Dialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import { Client, Pool, types as pgTypes, type CustomTypesConfig } from "pg";
import type { Log } from "../../log.ts";

export interface PostgresOptions {
  url: string;
  /** Of each statement; a server that has stopped answering must not hold a webhook for ever. */
  statementTimeoutMs: number;
  connections: number;
  log: Log;
}

const CHANNEL = "switchboard_events";
const RETRY_MS = 1000;
const POLL_MS = 1000;
const GOODBYE_MS = 500;

/** A query's rows hold numbers where the database has 64-bit integers: all of ours are counts and places in the log. */
const types: CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pgTypes.builtins.INT8 ? Number : pgTypes.getTypeParser(oid, format)),
};

export function openPostgres({ url, statementTimeoutMs, connections, log }: PostgresOptions): Dialect {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: statementTimeoutMs,
    // The server ends a slow statement; where the server itself hangs, the client gives it up a little later.
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + 1000,
    idle_in_transaction_session_timeout: statementTimeoutMs * 2,
    application_name: "switchboard",
    types,
  });
  // An idle connection that the server closed: the pool makes another when one is asked for.
  pool.on("error", (err) => log.warn({ err }, "a connection to PostgreSQL was lost"));
  // One that is lost at work says so twice, by its query and by itself: said to nobody, the second would end the process.
  pool.on("connect", (client) => client.on("error", (err) => log.debug({ err }, "a connection broke at work")));
  return new PostgresDialect({ pool: withoutSilent(pool) });
}

/**
 * A connection that did not answer in time is not given out again: its server may be gone without a word, as after a
 * failover, and only another connection finds the one that is there.
 */
function withoutSilent(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      let isSilent = false;
      const query = async (text: string, values: unknown[]) => {
        try {
          return await client.query(text, values);
        } catch (error) {
          if ((error as Error).message === "Query read timeout") isSilent = true;
          throw error;
        }
      };
      const release = (discard?: boolean) => client.release(discard === true || isSilent);
      return { query, release } as unknown as PostgresPoolClient;
    },
  };
}

/**
 * Removes dead rows from the tables, on a connection of its own and for as long as it takes. Rows that a transaction or a
 * replica elsewhere may still see stay, and so do the database's own log and backups: those are the operator's.
 */
export async function vacuum(url: string, tables: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "switchboard vacuum", statement_timeout: 0 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    // The planner's statistics quote values that are frequent, or stand at the edge of a share: they are made anew.
    await client.query(`vacuum (analyze) ${tables.join(", ")}`);
    for (const table of tables) await clearOfEmpty(client, table);
  } finally {
    await client.end();
  }
}

const UNDEFINED_FUNCTION = "42883";

/**
 * What was quoted of a table that is empty now stays, for nothing is there to be quoted instead; since PostgreSQL 18 it
 * can go.
 */
async function clearOfEmpty(client: Client, table: string): Promise<void> {
  const clear = "pg_clear_attribute_stats(schemaname::text, tablename::text, attname::text, inherited)";
  const own = `schemaname = current_schema() and tablename = '${table}'`;
  try {
    await client.query(`select ${clear} from pg_stats where ${own} and not exists (select from ${table})`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNDEFINED_FUNCTION) throw error;
  }
}

/**
 * In SQL, said inside a transaction, heard by every listener once it is committed; several of one transaction are one.
 * `through`: an expression for the place up to which the log has grown, where nothing else has changed.
 */
export const notifySql = (through = "''"): string => `pg_notify('${CHANNEL}', ${through})`;

/** A place up to which the log has grown; null: anything may have changed, in the log or beside it. */
export type OnChange = (through: number | null) => void;

/**
 * Calls `onNotify` for each commit that any gateway makes, and after each time the connection was lost, for then it is
 * not known what was missed.
 */
export function listen({ url, log, onNotify }: { url: string; log: Log; onNotify: OnChange }): AsyncDisposable {
  let retrying: NodeJS.Timeout | undefined;
  const stopped = new AbortController();
  let client: Client | null = null;
  let isLost = false;

  async function connect(): Promise<void> {
    const fresh = new Client({ connectionString: url, application_name: "switchboard listener", keepAlive: true });
    client = fresh;
    fresh.on("notification", ({ payload }) => onNotify(payload ? Number(payload) : null));
    fresh.on("error", (err) => log.warn({ err }, "the connection that listens to PostgreSQL was lost"));
    fresh.once("end", () => retry());
    await fresh.connect();
    await fresh.query(`listen ${CHANNEL}`);
    if (isLost) log.info({}, "PostgreSQL is listened to again");
    isLost = false;
    onNotify(null);
  }
  function retry(): void {
    if (stopped.signal.aborted) return;
    clearTimeout(retrying);
    retrying = setTimeout(() => void start(), RETRY_MS);
  }
  const start = () =>
    connect().catch(async (err: unknown) => {
      // Once: it is tried again each second.
      if (!isLost) log.warn({ err }, "PostgreSQL cannot be listened to; the poll goes on");
      isLost = true;
      await client?.end().catch(() => undefined);
    });

  void start();
  // Behind the notifications, for one may be lost with its connection: that costs a second, and no event.
  const poll = setInterval(onNotify, POLL_MS, null);
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      clearInterval(poll);
      clearTimeout(retrying);
      // A server that stands still does not say goodbye either, and nothing is lost with this connection.
      await Promise.race([client?.end().catch(() => undefined), pause(GOODBYE_MS, undefined, { ref: false })]);
    },
  };
}
