// Restores a backup in the place of a SQLite database. The database that was there stays beside it under another name.
import { chownSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { RESTORED_AFTER, RESTORED_THROUGH } from "../events/restoredLog.ts";
import { ERASED, PURGED } from "../events/purgeEvents.ts";
import { inspectBackup, type BackupFacts } from "./backupFile.ts";
import { copyDatabase, syncFolder } from "./databaseCopy.ts";
import { lockFile, restrictPermissions } from "./databaseFile.ts";
import { isLockedByAnother } from "./sqliteCodes.ts";

export interface Restored extends BackupFacts {
  /** The database in whose place the backup was restored. */
  database: string;
  /** The path of the database that was there before. Null: there was none. */
  replaced: string | null;
}

/** Positions above the log's end that no reader of the lost events has seen. */
const SKIPPED_POSITIONS = 1_000_000;

/**
 * Throws an Error of one line, with the database as it was, if the backup cannot be used or a gateway runs on the database. `now`: epoch
 * milliseconds.
 */
export function restoreBackup(backup: string, path: string, now: number): Restored {
  const database = resolve(path);
  const facts = inspectBackup(backup);
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
  const { uid, gid } = statSync(existsSync(database) ? database : dirname(database));
  restrictPermissions(database);
  using _lock = lockStopped(database);
  const target = realpathSync(database);
  const part = `${target}.restoring`;
  rmSync(part, { force: true });
  copyDatabase(backup, part);
  skipLostPositions(part, now);
  // The gateway's user must be able to open what root restores.
  if (process.getuid?.() === 0) for (const path of [part, `${target}-lock`]) chownSync(path, uid, gid);
  const replaced = moveAway(target, now);
  renameSync(part, target);
  syncFolder(target);
  return { ...facts, database, replaced };
}

function lockStopped(database: string): Disposable {
  try {
    return lockFile(database);
  } catch (error) {
    if (!isLockedByAnother(error)) throw error;
    throw new Error(`A gateway runs on the database ${database}. Stop it, then restore.`, { cause: error });
  }
}

/**
 * Gives later events positions above all that the lost events had, and remembers the lost ones: readers with a cursor among them
 * are told. The lost events are unknown, so the positions follow the clock: a log gets fewer than a thousand events a second.
 */
function skipLostPositions(file: string, now: number): void {
  using database = new DatabaseSync(file);
  const setting = "(select coalesce(max(cast(value as integer)), 0) from settings where name in (?, ?))";
  const events = "coalesce((select max(seq) from events), 0)";
  const used = "coalesce((select seq from sqlite_sequence where name = 'events'), 0)";
  const row = database.prepare(`select max(${events}, ${setting}) as end, ${used} as used`).get(PURGED, ERASED);
  const { end, used: last } = row as { end: number; used: number };
  const through = Math.max(end, last, now) + SKIPPED_POSITIONS;
  const save = database.prepare("insert or replace into settings (name, value) values (?, ?)");
  database.exec("begin; pragma user_version = 0; delete from sqlite_sequence where name = 'events'");
  database.prepare("insert into sqlite_sequence (name, seq) values ('events', ?)").run(through);
  for (const [name, value] of [
    [ERASED, through],
    [RESTORED_AFTER, end],
    [RESTORED_THROUGH, through],
  ] as const)
    save.run(name, String(value));
  database.exec("commit");
}

/** Renames a database with its write-ahead log, which belongs to it alone. */
function moveAway(target: string, now: number): string | null {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const replaced = `${target}.replaced-${stamp}`;
  if (existsSync(replaced)) throw new Error(`${replaced} exists already. Move it away.`);
  const isEmpty = statSync(target).size === 0;
  if (isEmpty) rmSync(target);
  else renameSync(target, replaced);
  if (existsSync(`${target}-wal`)) renameSync(`${target}-wal`, `${replaced}-wal`);
  rmSync(`${target}-shm`, { force: true });
  return isEmpty ? null : replaced;
}
