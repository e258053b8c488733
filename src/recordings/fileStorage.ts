// Stores recordings as files named by their SHA-256, in a folder that several gateways may share.
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, copyFile, link, mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncDirectory } from "../util/syncDirectory.ts";
import type { RecordingStorage } from "./recordingStorage.ts";

export function createFileStorage(directory: string): RecordingStorage {
  const pathOf = (sha256: string) => join(directory, sha256.slice(0, 2), sha256);

  return {
    async save(file, { sha256 }) {
      const path = pathOf(sha256);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await linkOrCopy(file, path);
      const now = new Date();
      await utimes(path, now, now);
      await syncDirectory(dirname(path));
      await syncDirectory(directory);
    },
    async read(sha256, { first, last }) {
      const handle = await open(pathOf(sha256), "r").catch(nullIfMissing);
      return handle?.createReadStream({ start: first, end: last }) ?? null;
    },
    async remove(sha256, unlessSavedSince) {
      const path = pathOf(sha256);
      const found = await stat(path).catch(nullIfMissing);
      if (found && found.mtimeMs >= unlessSavedSince) return false;
      await rm(path, { force: true });
      return true;
    },
    async *savedBefore(time) {
      for (const part of (await readdir(directory)).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
        for (const name of (await readdir(join(directory, part))).filter((each) => /^[0-9a-f]{64}$/.test(each))) {
          const found = await stat(pathOf(name)).catch(nullIfMissing);
          if (found && found.mtimeMs < time) yield name;
        }
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Creates `path` in one step with the complete content. */
async function linkOrCopy(file: string, path: string): Promise<void> {
  try {
    await link(file, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code === "ENOENT") throw error;
    // This file system has no hard links.
    const copy = `${path}.${randomUUID()}`;
    try {
      await copyFile(file, copy, constants.COPYFILE_EXCL);
      await using handle = await open(copy, "r+");
      await handle.sync();
      await rename(copy, path);
    } finally {
      await rm(copy, { force: true });
    }
  }
}

export function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

const { R_OK, W_OK, X_OK } = constants;

/** Creates a folder of recordings if it is missing. Throws an Error that names RECORDINGS_DIR if it is not writable now. */
export async function openFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, R_OK | W_OK | X_OK);
  } catch (error) {
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    throw new Error(`RECORDINGS_DIR is not writable (${code})`, { cause: error });
  }
}
