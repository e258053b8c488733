// VACUUM of the tables that hold personal data.
import { Client } from "pg";
import type { PrimaryHost } from "./primaryHost.ts";
import type { Sessions } from "./databaseSessions.ts";

/**
 * Removes dead rows from the tables, on its own connection and without a time limit. Rows that another transaction or a replica
 * may still see stay. PostgreSQL's own log and the backups stay too: the operator manages them.
 */
export async function vacuum(primary: PrimaryHost, sessions: Sessions, tables: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: await primary.find(), application_name: "switchboard vacuum" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await sessions.prepare(client, 0);
    // `analyze` replaces the planner's statistics, which quote frequent values and the bounds of histograms.
    await client.query(`vacuum (analyze) ${tables.join(", ")}`);
    for (const table of tables) await clearStatisticsOfEmptyTable(client, table);
  } finally {
    await client.end();
  }
}

const UNDEFINED_FUNCTION = "42883";

/**
 * `analyze` keeps the old statistics of a table that is now empty. PostgreSQL 18 and later can clear them; older versions keep
 * them.
 */
async function clearStatisticsOfEmptyTable(client: Client, table: string): Promise<void> {
  const clear = "pg_clear_attribute_stats(schemaname::text, tablename::text, attname::text, inherited)";
  const own = `schemaname = current_schema() and tablename = '${table}'`;
  try {
    await client.query(`select ${clear} from pg_stats where ${own} and not exists (select from ${table})`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNDEFINED_FUNCTION) throw error;
  }
}
