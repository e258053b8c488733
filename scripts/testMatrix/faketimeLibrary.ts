// Finds libfaketime, which sets the clock of a whole process. Debian has it in a folder of the architecture, others in /usr/lib.
import { existsSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Null: it is not installed. `libraries`: the folder of libraries, for tests. */
export const findFaketime = (libraries = "/usr/lib"): string | null =>
  globSync(`${libraries}/{*/,}faketime/libfaketime.so.1`)[0] ?? null;

/** Throws where it is not installed. */
export function faketimeLibrary(): string {
  const found = findFaketime();
  if (found === null) throw new Error("libfaketime is not installed. On Debian: apt-get install faketime");
  return found;
}

/**
 * The library gives each process a semaphore and shared memory by the process's ID. A killed process leaves them, and a later one of
 * another user with that ID cannot start. Removes those of ended processes. `folder`, `processes`: for tests.
 */
export function removeLeftovers(folder = "/dev/shm", processes = "/proc"): void {
  for (const name of globSync("{sem.faketime_sem_,faketime_shm_}*", { cwd: folder })) {
    const id = name.slice(name.lastIndexOf("_") + 1);
    if (!existsSync(join(processes, id))) rmSync(join(folder, name), { force: true });
  }
}
