// `switchboard migrate`: brings the database's tables up to date without a gateway, such as before a rolling upgrade.
import { displayedDatabase } from "../config/databaseUrls.ts";
import type { Environment } from "../config/readVariables.ts";
import { createLogger } from "../logger.ts";
import { inspectDatabase } from "../store/inspectDatabase.ts";
import { openStore } from "../store/store.ts";
import { notify, printLine } from "./output.ts";
import { readWholeConfig, secretsOf } from "./wholeConfig.ts";

/** Prints the schema versions before (null: it could not be read) and after as a JSON line. Throws ConfigError, or an Error of one line. */
export async function migrateCommand(env: Environment): Promise<number> {
  const config = await readWholeConfig(env);
  const { databaseUrl: url, databaseMustExist: mustExist, databaseFsync: fsync } = config;
  // Its lines would stand between the results.
  const log = createLogger({ level: config.logLevel, secrets: secretsOf(config, env), write: notify });
  const before = await inspectDatabase(url, fsync).catch(() => null);
  await using _store = await openStore({ url, mustExist, fsync, log });
  const after = await inspectDatabase(url, fsync);
  await printLine({ database: displayedDatabase(url), before: before?.version ?? null, after: after.version });
  return 0;
}
