// Looks at a database without changing it: no file is created, no lock is taken, nothing is migrated.
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { databaseUrls } from "../config/databaseUrls.ts";
import { FinalError } from "../util/start/finalError.ts";
import { schemaVersions } from "./migrations/schemaVersions.ts";
import {
  FACTS_SQL,
  readOnlyText,
  refusalOf,
  WRITE_FACTS_SQL,
  type Fsync,
  type ServerFacts,
  type WriteFacts,
} from "./postgres/serverCheck.ts";
import { isNoDatabase } from "./sqlite/sqliteCodes.ts";
import { hasWal } from "./sqlite/writeAheadLog.ts";

export interface DatabaseFacts {
  /** The schema version of its tables. 0: it has none, or does not exist. */
  version: number;
  /** The version that this gateway knows. */
  latest: number;
}

/**
 * Throws an Error if the database cannot be reached, read or written now. Throws a FinalError if waiting would not help: the file is no
 * database, or the gateway must not use the server.
 */
export async function inspectDatabase(url: string, fsync: Fsync): Promise<DatabaseFacts> {
  const version = url.startsWith("file:")
    ? versionOfFile(url.slice("file:".length))
    : await versionOfServer(url, fsync);
  return { version, latest: schemaVersions.length };
}

function versionOfFile(file: string): number {
  if (!existsSync(file)) return 0;
  const address = pathToFileURL(file);
  // Without a write-ahead log the file is closed: this way SQLite makes no files beside it.
  if (!hasWal(file)) address.searchParams.set("immutable", "1");
  try {
    using database = new DatabaseSync(address, { readOnly: true });
    const tables = database.prepare("select 1 from sqlite_schema where name = 'schema_version'").all();
    if (tables.length === 0) return 0;
    return Number(database.prepare("select version from schema_version").get()?.["version"] ?? 0);
  } catch (error) {
    throw isNoDatabase(error) ? new FinalError((error as Error).message) : error;
  }
}

const CONNECT_MS = 5000;

async function versionOfServer(url: string, fsync: Fsync): Promise<number> {
  const { Client } = await import("pg");
  const { createPrimaryHost } = await import("./postgres/primaryHost.ts");
  const client = new Client({
    connectionString: await createPrimaryHost(() => databaseUrls(url)).find(),
    application_name: "switchboard check",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  // A connection that breaks emits this event too. Without a listener it would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const ask = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows[0] as Row;
    const refusal = refusalOf(await ask<ServerFacts>(FACTS_SQL), fsync);
    if (refusal !== null) throw new FinalError(refusal);
    const { known, readonly } = await ask<{ known: string | null; readonly: string }>(
      "select to_regclass('schema_version')::text as known, current_setting('transaction_read_only') as readonly",
    );
    if (readonly !== "off") throw new Error(readOnlyText(await ask<WriteFacts>(WRITE_FACTS_SQL)));
    if (known === null) return 0;
    return (await client.query<{ version: number }>("select version from schema_version")).rows[0]?.version ?? 0;
  } finally {
    void client.end().catch(() => undefined);
  }
}
