// Runs SQL on a PostgreSQL database on a separate connection, without the store.
import { openClient } from "./connections.ts";

export async function askPostgres(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = await openClient({ connectionString: url });
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
