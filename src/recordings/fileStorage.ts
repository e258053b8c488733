// Keeps recordings as files named by their content, in a folder that any number of gateways may share.
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, mkdir, open, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
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
    async remove(sha256, unlessSince) {
      const path = pathOf(sha256);
      const found = await stat(path).catch(nullIfMissing);
      if (found && found.mtimeMs < unlessSince) await rm(path, { force: true });
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** The name appears at once and with the whole file, or not at all. */
async function linkOrCopy(file: string, path: string): Promise<void> {
  try {
    await link(file, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code === "ENOENT") throw error;
    // Not every file system knows a second name for a file.
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

/** A name is on disk when its folder is. */
export async function syncDirectory(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

export function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
