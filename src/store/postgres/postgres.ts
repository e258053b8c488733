// PostgreSQL for Kysely, LISTEN/NOTIFY between gateways, and VACUUM. Any number of gateways may share one database.
import { setTimeout as pause } from "node:timers/promises";
import { PostgresDialect, type Dialect } from "kysely";
import { Client, Pool, types as pgTypes, type ClientBase, type CustomTypesConfig, type QueryResult } from "pg";
import type { Logger } from "../../logger.ts";
import { createClients, type Clients, type ClientsOptions } from "./poolClients.ts";
import { refuseTransactionPooling, type Connect } from "./poolerCheck.ts";
import type { PrimaryHost } from "./primaryHost.ts";
import type { Sessions } from "./databaseSessions.ts";
import type { PoolState } from "../storeObserver.ts";

export interface PostgresOptions extends ClientsOptions {
  primary: PrimaryHost;
  sessions: Sessions;
  /** The time limit of each statement, so that a server that stops answering does not block a webhook forever. */
  statementTimeoutMs: number;
  connections: number;
  log: Logger;
}

const CHANNEL = "switchboard_events";
const RETRY_MS = 1000;
const POLL_MS = 1000;
const CLOSE_TIMEOUT_MS = 500;

/** Reads 64-bit integers as numbers: all of ours are counts, times and positions in the log, which fit. */
const types: CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pgTypes.builtins.INT8 ? Number : pgTypes.getTypeParser(oid, format)),
};

/** A statement with its parameters. */
export type Statement = readonly [text: string, parameters?: readonly unknown[]];

/**
 * Sends several statements of one transaction to the server at once, and returns the answer to each. A statement is also sent
 * if an earlier one fails, so the last one must end the transaction. Rejects with the first error.
 */
export type Exchange = (statements: readonly Statement[]) => Promise<readonly Pick<QueryResult, "command" | "rows">[]>;

export interface PostgresConnections {
  dialect: Dialect;
  exchange: Exchange;
  pool: () => PoolState;
}

/**
 * Throws an Error of one line if no host accepts writes, if the gateway must not use the server, or if a pooler would mix the
 * sessions of its clients.
 */
export async function openPostgres({
  primary,
  sessions,
  statementTimeoutMs,
  connections,
  observer,
  onWriteFailure,
  log,
}: PostgresOptions): Promise<PostgresConnections> {
  // The pool waits for the promise, which its type leaves out.
  const prepare: (client: ClientBase) => unknown = (client) => sessions.prepare(client, statementTimeoutMs);
  const pool = new Pool({
    max: connections,
    connectionTimeoutMillis: statementTimeoutMs,
    // The server ends a slow statement. If the server itself hangs, the client gives up a little later.
    query_timeout: statementTimeoutMs + 1000,
    onConnect: prepare,
    application_name: "switchboard",
    types,
    // Only `exchange` sends a statement before the earlier ones are answered.
    pipeline: true,
  });
  // The server closed an idle connection. The pool opens a new one when needed.
  pool.on("error", (err) => {
    primary.forget();
    log.warn({ err }, "a connection to PostgreSQL was lost");
  });
  // A connection that breaks during a query emits this event too. Without a listener it would end the process.
  pool.on("connect", (client) =>
    client.on("error", (err) => {
      primary.forget();
      log.debug({ err }, "a connection to PostgreSQL broke during a query");
    }),
  );
  const connect = connectToPrimary(pool, primary);
  const clients = createClients(pool, connect, { observer, onWriteFailure });
  try {
    await refuseTransactionPooling(connect);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    dialect: new PostgresDialect({ pool: clients }),
    exchange: createExchange(clients),
    pool() {
      const { totalCount: open, idleCount: idle, waitingCount } = pool;
      // In the turn of the event loop in which a statement comes, the pool counts it as waiting, also if a connection is idle.
      return { open, idle, waiting: Math.max(0, waitingCount - idle) };
    },
  };
}

function connectToPrimary(pool: Pool, primary: PrimaryHost): Connect {
  return async () => {
    // Without a wait where the host is known, so that `pool()` counts each call at once.
    pool.options.connectionString = primary.known() ?? (await primary.find());
    try {
      return await pool.connect();
    } catch (error) {
      primary.forget();
      throw error;
    }
  };
}

function createExchange(clients: Clients): Exchange {
  return async (statements) => {
    const client = await clients.connect();
    const answers = statements.map(([text, parameters = []]) => client.query<unknown>(text, parameters));
    const settled = await Promise.allSettled(answers);
    // The transaction may still be open.
    const isDoubtful = settled.at(-1)?.status === "rejected";
    client.release(isDoubtful);
    return Promise.all(answers as Promise<QueryResult>[]);
  };
}

/**
 * SQL that notifies the listeners of all gateways when the transaction commits, once per transaction. `through`: an SQL
 * expression for the log's new end, if nothing else has changed.
 */
export const notifySql = (through = "''"): string => `pg_notify('${CHANNEL}', ${through})`;

/** Gets the position up to which the log has grown. Null: anything may have changed, in the log or in another table. */
export type OnNotify = (through: number | null) => void;

export interface ListenOptions {
  primary: PrimaryHost;
  sessions: Sessions;
  log: Logger;
  onNotify: OnNotify;
}

/**
 * Calls `onNotify` for each change that any gateway commits, after each loss of the connection, and once a second, so that a
 * lost notification delays a reader by a second at most.
 */
export function listen({ primary, sessions, log, onNotify }: ListenOptions): AsyncDisposable {
  let retrying: NodeJS.Timeout | undefined;
  const stopped = new AbortController();
  let client: Client | null = null;
  let isLost = false;

  async function connect(): Promise<void> {
    const connectionString = await primary.find();
    if (stopped.signal.aborted) return;
    const fresh = new Client({ connectionString, application_name: "switchboard listener", keepAlive: true });
    client = fresh;
    fresh.on("notification", ({ payload }) => onNotify(payload ? Number(payload) : null));
    fresh.on("error", (err) => {
      primary.forget();
      log.warn({ err }, "lost the connection that listens to PostgreSQL");
    });
    fresh.once("end", () => retry());
    await fresh.connect();
    await sessions.prepare(fresh, 0);
    await fresh.query(`listen ${CHANNEL}`);
    if (isLost) log.info({}, "listening to PostgreSQL again");
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
      // Logged once; the gateway retries every second.
      if (!isLost) log.warn({ err }, "cannot listen to PostgreSQL; polling continues");
      isLost = true;
      primary.forget();
      retry();
      await client?.end().catch(() => undefined);
    });

  void start();
  const poll = setInterval(onNotify, POLL_MS, null);
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      clearInterval(poll);
      clearTimeout(retrying);
      // A server that hangs does not close the connection either. Nothing is lost with it.
      await Promise.race([client?.end().catch(() => undefined), pause(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}
