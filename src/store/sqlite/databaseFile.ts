// Prepares a SQLite file before SQLite opens it: only its owner may read it, and only this process may use it.
import { chmodSync, closeSync, existsSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FinalError } from "../../util/start/finalError.ts";

/** Read and write for the owner alone: the files hold phone numbers. */
const OWNER_ONLY = 0o600;
/** The first bytes of every SQLite file that is not empty. */
const MAGIC = Buffer.from("SQLite format 3\0");

/**
 * Creates the file if it does not exist, and makes it and its log readable by the owner alone. The mode of a file that is
 * not a database stays, because an operator may have named it by mistake. Throws if the path is not a regular file.
 */
export function restrictPermissions(file: string): void {
  if (existsSync(file) && !statSync(file).isFile()) throw new FinalError("it is not a regular file");
  const handle = openSync(file, "a+", OWNER_ONLY);
  const isDatabase = mayBeDatabase(handle);
  closeSync(handle);
  // SQLite refuses the file when it opens it.
  if (!isDatabase) return;
  for (const path of [file, `${file}-wal`, `${file}-wal.torn`].filter(existsSync)) {
    try {
      chmodSync(path, OWNER_ONLY);
    } catch (error) {
      // Another user owns the file, for example on a shared volume. That user decides who may read it.
      if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
    }
  }
}

function mayBeDatabase(handle: number): boolean {
  const head = Buffer.alloc(MAGIC.length);
  const bytes = readSync(handle, head, 0, head.length, 0);
  return bytes === 0 || isDatabaseHeader(head);
}

export const isDatabaseHeader = (head: Buffer): boolean => head.subarray(0, MAGIC.length).equals(MAGIC);

/**
 * Locks an existing database file for this process until the process ends or the lock is disposed. The lock is on an empty
 * file beside the database: SQLite's own exclusive mode would also exclude this process's scan connection. Throws SQLite's
 * BUSY error if another process holds the lock.
 */
export function lockFile(file: string): Disposable {
  // All links to a file share one lock.
  const path = `${realpathSync(file)}-lock`;
  // Never open an existing lock file except through SQLite: closing that handle would release the lock.
  if (!existsSync(path)) closeSync(openSync(path, "a", OWNER_ONLY));
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written to the lock file, so it needs no journal.
    lock.exec("pragma journal_mode = off; begin exclusive");
  } catch (error) {
    lock.close();
    throw error;
  }
  return { [Symbol.dispose]: () => lock.close() };
}

/**
 * SQLite's temporary files are as large as the log when it is rewritten. A container's /tmp is often memory: it would be used up. SQLite
 * reads the variable when it is first used, in every thread that of the process.
 */
export function keepTemporaryFilesBeside(file: string): void {
  process.env["SQLITE_TMPDIR"] ||= dirname(resolve(file));
}
