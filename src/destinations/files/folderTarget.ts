// Files in a folder. Each is written beside, and gets its name by a link, so that it appears whole and overwrites nothing.
import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { HOUR_MS } from "../../util/durations.ts";
import { syncDirectory } from "../../util/syncDirectory.ts";
import { TargetError, type FileTarget } from "./fileTarget.ts";

/** What file systems answer that have none, such as FAT and some network shares: https://github.com/ZoneMinder/zoneminder/pull/5057 */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK"];
/** In the folder, so that a link leads out of it. */
const BESIDE = ".parts";

export function createFolderTarget(folder: string): FileTarget {
  const beside = join(folder, BESIDE);

  /** For each file, of which few are written. */
  async function prepare(): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o750 });
    await mkdir(beside, { recursive: true, mode: 0o700 });
    for (const name of await readdir(beside)) {
      // A process that was killed has left it. A younger one may be another gateway's, which is writing it.
      const found = await stat(join(beside, name)).catch(nullIfMissing);
      if (found && Date.now() - found.mtimeMs > HOUR_MS) await rm(join(beside, name), { force: true });
    }
  }
  async function put(name: string, bytes: Uint8Array): Promise<boolean> {
    await prepare();
    const temporary = join(beside, randomUUID());
    try {
      {
        await using handle = await open(temporary, "wx", 0o640);
        await handle.writeFile(bytes);
        await handle.sync();
      }
      const isNew = await link(temporary, join(folder, name)).then(() => true, falseIfThere);
      await syncDirectory(folder);
      return isNew;
    } finally {
      await rm(temporary, { force: true });
    }
  }
  async function test(): Promise<void> {
    const name = `.test-${randomUUID()}`;
    await put(name, Buffer.alloc(0));
    await rm(join(folder, name));
  }
  return {
    put: (name, bytes) => put(name, bytes).catch(refuse),
    get: (name) => readFile(join(folder, name)).catch(nullIfMissing).catch(refuse),
    test: () => test().catch(refuse),
    async [Symbol.asyncDispose]() {},
  };

  function refuse({ code = "unknown cause", syscall }: NodeJS.ErrnoException): never {
    const why = syscall === "link" && NO_LINKS.includes(code) ? "its file system has no hard links, " : "";
    throw new TargetError(`The folder cannot be written (${why}${code}).`);
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
function falseIfThere(error: NodeJS.ErrnoException): false {
  if (error.code === "EEXIST") return false;
  throw error;
}
