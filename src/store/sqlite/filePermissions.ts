// Makes a database's files its owner's alone, as they hold people's numbers; and no other file, which an operator may have
// named by mistake.
import { chmodSync, closeSync, existsSync, openSync, readSync, statSync } from "node:fs";

const PRIVATE = 0o600;
/** Every SQLite file begins so, but an empty one. */
const MAGIC = Buffer.from("SQLite format 3\0");

/** The file is made where there is none; SQLite then makes its log beside it with the same mode. Throws where it is none. */
export function restrictPermissions(file: string): void {
  if (existsSync(file) && !statSync(file).isFile()) throw new Error("it is no file");
  const handle = openSync(file, "a+", PRIVATE);
  const isDatabase = mayBeDatabase(handle);
  closeSync(handle);
  // SQLite refuses it.
  if (!isDatabase) return;
  for (const path of [file, `${file}-wal`, `${file}-wal.torn`].filter(existsSync)) {
    try {
      chmodSync(path, PRIVATE);
    } catch (error) {
      // Another's file, on a volume that is shared so: whose it is, decides who reads it.
      if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
    }
  }
}

function mayBeDatabase(handle: number): boolean {
  const head = Buffer.alloc(MAGIC.length);
  const bytes = readSync(handle, head, 0, head.length, 0);
  return bytes === 0 || head.equals(MAGIC);
}
