// A copy of a SQLite file before its schema is upgraded, beside it, such as switchboard.db.schema-11. The version of the gateway
// that wrote it can open it again. The copies stay until an operator or an erasure deletes them.
import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { copyDatabase } from "./databaseCopy.ts";

const SUFFIX = ".schema-";

/** Replaces the copy of an earlier attempt, which may be older. Throws an Error of one line if the disk has no room. */
export function keepCopy(file: string, schemaVersion: number): void {
  const copy = `${file}${SUFFIX}${schemaVersion}`;
  try {
    rmSync(copy, { force: true });
    copyDatabase(file, copy);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`it could not be copied to ${copy} before its upgrade (${message}). Make room on the disk`, {
      cause: error,
    });
  }
}

export function deleteCopies(file: string): void {
  const folder = dirname(file);
  const copies = readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}${SUFFIX}`));
  for (const name of copies) rmSync(join(folder, name), { force: true });
}
