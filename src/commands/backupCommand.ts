// `switchboard backup FILE`: backs up the SQLite database of this machine, also while its gateway runs. `switchboard restore FILE`
// puts a backup in the place of the database of a stopped gateway. Both print one JSON line.
import { ConfigError, variables } from "../config/config.ts";
import { fileOfDatabase } from "../config/databaseUrls.ts";
import { readVariables } from "../config/readVariables.ts";
import { backUpDatabase } from "../store/sqlite/backupFile.ts";
import { restoreBackup } from "../store/sqlite/restoreFile.ts";
import { printLine } from "./output.ts";

export async function backupCommand(file: string, env: NodeJS.ProcessEnv): Promise<number> {
  const database = databaseFile(env);
  await printLine({ database, ...backUpDatabase(database, file) });
  return 0;
}

export async function restoreCommand(file: string, env: NodeJS.ProcessEnv): Promise<number> {
  await printLine(restoreBackup(file, databaseFile(env), Date.now()));
  return 0;
}

/** Throws ConfigError for PostgreSQL, which has its own tools. */
function databaseFile(env: NodeJS.ProcessEnv): string {
  const { DATABASE_URL: url } = readVariables({ DATABASE_URL: variables.DATABASE_URL }, env);
  const file = fileOfDatabase(url);
  if (file !== null) return file;
  throw new ConfigError(["DATABASE_URL is PostgreSQL: use its own tools (docs/operating.md#backups)"]);
}
