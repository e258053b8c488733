// Looks at a database without changing it: no file is created, no lock is taken, nothing is migrated.
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { databaseUrls } from "../config/databaseUrls.ts";
import { schemaVersions } from "./migrations/schemaVersions.ts";
import { hasWal } from "./sqlite/writeAheadLog.ts";

export interface DatabaseFacts {
  /** The schema version of its tables. 0: it has none, or does not exist. */
  version: number;
  /** The version that this gateway knows. */
  latest: number;
}

/** Throws an Error if the database cannot be reached or read. */
export async function inspectDatabase(url: string): Promise<DatabaseFacts> {
  const version = url.startsWith("file:") ? versionOfFile(url.slice("file:".length)) : await versionOfServer(url);
  return { version, latest: schemaVersions.length };
}

function versionOfFile(file: string): number {
  if (!existsSync(file)) return 0;
  const address = pathToFileURL(file);
  // Without a write-ahead log the file is closed: this way SQLite makes no files beside it.
  if (!hasWal(file)) address.searchParams.set("immutable", "1");
  using database = new DatabaseSync(address, { readOnly: true });
  const tables = database.prepare("select 1 from sqlite_schema where name = 'schema_version'").all();
  if (tables.length === 0) return 0;
  return Number(database.prepare("select version from schema_version").get()?.["version"] ?? 0);
}

const CONNECT_MS = 5000;

async function versionOfServer(url: string): Promise<number> {
  const { Client } = await import("pg");
  const { createPrimaryHost } = await import("./postgres/primaryHost.ts");
  const [first = url, ...others] = databaseUrls(url);
  const client = new Client({
    connectionString: await createPrimaryHost([first, ...others]).find(),
    application_name: "switchboard check",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  // A connection that breaks emits this event too. Without a listener it would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ known: string | null; readonly: string }>(
      "select to_regclass('schema_version')::text as known, current_setting('transaction_read_only') as readonly",
    );
    if (rows[0]?.readonly !== "off") throw new Error("it accepts no writes");
    if (rows[0]?.known == null) return 0;
    return (await client.query<{ version: number }>("select version from schema_version")).rows[0]?.version ?? 0;
  } finally {
    void client.end().catch(() => undefined);
  }
}
