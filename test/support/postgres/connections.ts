// Connections to PostgreSQL without the store. A connection that the server ends emits an error event, which would end the process
// without a listener: a dropped database or a server that stops also ends connections that are closing or idle.
import { Client, Pool, type ClientConfig, type PoolConfig } from "pg";

/** Connected. */
export async function openClient(options: ClientConfig): Promise<Client> {
  const client = new Client(options);
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

export function createPool(options: PoolConfig): Pool {
  const pool = new Pool(options);
  // While idle, and while in use.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}
