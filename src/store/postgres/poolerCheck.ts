// Refuses a pooler such as PgBouncer that gives each transaction another connection: LISTEN and the settings of a session would
// be those of another client.
import type { PoolClient } from "pg";
import { FinalError } from "../../util/start/finalError.ts";

/** Takes a connection out of the pool. */
export type Connect = () => Promise<PoolClient>;

const TRIES = 3;

/** Throws a FinalError of one line. Costs one query where there is no pooler. */
export async function refuseTransactionPooling(connect: Connect): Promise<void> {
  const client = await connect();
  try {
    // A pooler invents the process that it names at the connection's start.
    if ((client as PoolClient & { processID: number }).processID === (await processOf(client))) return;
    for (let tries = 0; tries < TRIES; tries += 1) if (await isShared(connect, client)) throw poolingError();
  } finally {
    client.release();
  }
}

/** True if a transaction of another client may run on this client's connection to the server. */
async function isShared(connect: Connect, client: PoolClient): Promise<boolean> {
  const before = await processOf(client);
  const other = await connect();
  try {
    await other.query("begin");
    const ofOther = await processOf(other);
    const isMoved = (await processOf(client)) !== before;
    await other.query("rollback");
    return isMoved || ofOther === before;
  } finally {
    // It may still be in the transaction.
    other.release(true);
  }
}

async function processOf(client: PoolClient): Promise<number | undefined> {
  return (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;
}

function poolingError(): Error {
  return new FinalError("a pooler gives each transaction another connection. Set pool_mode=session for this database");
}
