// Makes a SQLite file this process's own, as long as it runs and however it ends: by a lock on an empty file beside it, for
// SQLite's own exclusive mode would let no second connection of this process read either.
import { closeSync, existsSync, openSync, realpathSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const PRIVATE = 0o600;

/**
 * The file must be there. Another gateway could commit between this one's commits, and never be heard of here. Throws "database
 * is locked".
 */
export function lockFile(file: string): Disposable {
  // By whatever links a file is named, it has one lock.
  const path = `${realpathSync(file)}-lock`;
  // Never opened beside SQLite: to close it would let go of the lock.
  if (!existsSync(path)) closeSync(openSync(path, "a", PRIVATE));
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written to it.
    lock.exec("pragma journal_mode = off; begin exclusive");
  } catch (error) {
    lock.close();
    throw error;
  }
  return { [Symbol.dispose]: () => lock.close() };
}
