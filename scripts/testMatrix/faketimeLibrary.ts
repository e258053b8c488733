// Finds libfaketime, which sets the clock of a whole process. Debian has it in a folder of the architecture, others in /usr/lib.
import { globSync } from "node:fs";

/** Null: it is not installed. `libraries`: the folder of libraries, for tests. */
export const findFaketime = (libraries = "/usr/lib"): string | null =>
  globSync(`${libraries}/{*/,}faketime/libfaketime.so.1`)[0] ?? null;

/** Throws where it is not installed. */
export function faketimeLibrary(): string {
  const found = findFaketime();
  if (found === null) throw new Error("libfaketime is not installed. On Debian: apt-get install faketime");
  return found;
}
