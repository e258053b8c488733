// Looks at a database without changing it: no file is created, no lock is taken, nothing is migrated.
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { fileOfDatabase } from "../config/databaseUrls.ts";
import { FinalError } from "../util/start/finalError.ts";
import { refuseMissingTables, type ReadTables, type TablePart } from "./migrations/missingTables.ts";
import { schemaVersions } from "./migrations/schemaVersions.ts";
import type { Inspection } from "./postgres/inspectServer.ts";
import type { Fsync } from "./postgres/serverCheck.ts";
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
 * database or lacks tables of its version, or the gateway must not use the server.
 */
export async function inspectDatabase(
  url: string,
  fsync: Fsync,
  { warn = () => undefined, look = async () => undefined }: Partial<Inspection> = {},
): Promise<DatabaseFacts> {
  const latest = schemaVersions.length;
  const file = fileOfDatabase(url);
  if (file !== null) return { version: await versionOfFile(file, { latest, look }), latest };
  // Loaded only here, because most gateways use SQLite.
  const { versionOfServer } = await import("./postgres/inspectServer.ts");
  return { version: await versionOfServer(url, { fsync, latest, warn, look }), latest };
}

async function versionOfFile(
  file: string,
  { latest, look }: { latest: number; look: Inspection["look"] },
): Promise<number> {
  if (!existsSync(file)) return 0;
  const address = pathToFileURL(file);
  // Without a write-ahead log the file is closed: this way SQLite makes no files beside it.
  if (!hasWal(file)) address.searchParams.set("immutable", "1");
  try {
    using database = new DatabaseSync(address, { readOnly: true });
    const tables = database.prepare("select 1 from sqlite_schema where name = 'schema_version'").all();
    const row = tables.length > 0 ? database.prepare("select version from schema_version").get() : undefined;
    const version = Number(row?.["version"] ?? 0);
    const read: ReadTables = async (text) => database.prepare(text).all();
    const ask = async (text: string) => (await read(text)) as unknown as TablePart[];
    if (version <= latest) await refuseMissingTables(version, "sqlite", ask);
    if (version === latest) await look(read);
    return version;
  } catch (error) {
    throw isNoDatabase(error) ? new FinalError((error as Error).message) : error;
  }
}
