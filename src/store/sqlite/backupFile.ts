// Backups of a SQLite database, made while its gateway runs, and checked before they count and before they are restored.
import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { schemaVersions } from "../migrations/schemaVersions.ts";
import { checkBytes, copyDatabase, createFile, syncFolder } from "./databaseCopy.ts";
import { lockFile } from "./databaseFile.ts";
import { isLockedByAnother } from "./sqliteCodes.ts";
import { readWalState, refuseDamagedWal } from "./writeAheadLog.ts";

export interface BackupFacts {
  file: string;
  bytes: number;
  schemaVersion: number;
  /** Entries of the event log. */
  events: number;
  /** When the newest entry was received. Null: the log is empty. */
  lastReceivedAt: string | null;
}

/**
 * Backs up a database, also while a gateway writes to it. On disk when it returns. Throws an Error of one line, and never overwrites
 * a file.
 */
export function backUpDatabase(database: string, file: string): BackupFacts {
  if (!existsSync(database)) throw new Error(`The database ${database} does not exist. Check DATABASE_URL.`);
  const part = `${file}.part`;
  // Reserves the name, so that a second backup at the same time fails.
  createFile(file);
  try {
    refuseDamagedDatabase(database);
    // A backup that was interrupted may have left one.
    rmSync(part, { force: true });
    copyDatabase(database, part);
    const facts = inspectBackup(part);
    renameSync(part, file);
    syncFolder(file);
    return { ...facts, file };
  } catch (error) {
    rmSync(part, { force: true });
    rmSync(file);
    throw new Error(`The database ${database} cannot be backed up: ${(error as Error).message}`, { cause: error });
  }
}

/** SQLite would silently leave out what follows the damage. A running gateway has looked at its start. */
function refuseDamagedDatabase(database: string): void {
  try {
    using _lock = lockFile(database);
    if (readWalState(database) === "damaged") refuseDamagedWal(database);
  } catch (error) {
    if (!isLockedByAnother(error)) throw error;
  }
}

/** Throws an Error of one line if the file is no backup, is damaged, or is of a newer version of the gateway. */
export function inspectBackup(file: string): BackupFacts {
  if (!existsSync(file)) throw new Error(`${file} does not exist.`);
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new Error(`${file} is a database in use and not a backup: it has a write-ahead log. Use switchboard backup.`);
  }
  try {
    checkBytes(file);
    using backup = new DatabaseSync(file, { readOnly: true });
    const one = (sql: string) => Object.values(backup.prepare(sql).get() ?? {})[0];
    const schemaVersion = Number(one("select version from schema_version"));
    if (schemaVersion > schemaVersions.length) {
      throw new Error(`it has schema version ${schemaVersion}, and this gateway knows up to ${schemaVersions.length}`);
    }
    const finding = String(one("pragma integrity_check(1)"));
    if (finding !== "ok") throw new Error(`it is damaged: ${finding.split("\n", 1)[0]}`);
    return {
      file,
      bytes: statSync(file).size,
      schemaVersion,
      events: Number(one("select count(*) from events")),
      lastReceivedAt: (one("select max(received_at) from events") as string | undefined) ?? null,
    };
  } catch (error) {
    throw new Error(`${file} cannot be restored: ${(error as Error).message}.`, { cause: error });
  }
}
