// Holds fetched files until they are in the storage and the database. A complete file is named after its job. After a kill or
// an outage it is not fetched again, because its link may have expired.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RecordingJob } from "../store/recordings/recordingStore.ts";
import { audioTypeOf, SIGNATURE_BYTES } from "./audioType.ts";
import type { FetchedRecording } from "./fetchRecording.ts";
import { syncDirectory } from "../util/syncDirectory.ts";
import { nullIfMissing, openFolder } from "./fileStorage.ts";

export interface Spooled extends FetchedRecording {
  file: string;
}

export interface Spool {
  /** The complete file of this job, fetched by any gateway that shares the folder; null if there is none. */
  find(job: RecordingJob): Promise<Spooled | null>;
  /** Adds the file that `fetch` writes to the path it is called with. If `fetch` throws, nothing is left of it. */
  add(job: RecordingJob, fetch: (file: string) => Promise<FetchedRecording>): Promise<Spooled>;
  remove(job: Pick<RecordingJob, "sessionId" | "url">): Promise<void>;
  /** Removes files that killed gateways left: those last written before these times, in epoch milliseconds. */
  clean(before: { parts: number; whole: number }): Promise<void>;
}

const [PART, WHOLE] = [".part", ".whole"];

/** Throws an Error of one line if the folder is not writable now. */
export async function openSpool(directory: string): Promise<Spool> {
  await openFolder(directory);
  /** The name includes the URL, because a later revision may bring another link. */
  const wholeOf = ({ sessionId, url }: Pick<RecordingJob, "sessionId" | "url">) =>
    join(directory, createHash("sha256").update(`${sessionId}\0${url}`).digest("hex") + WHOLE);

  async function removeOld(extension: string, before: number): Promise<void> {
    for (const name of (await readdir(directory)).filter((each) => each.endsWith(extension))) {
      const path = join(directory, name);
      const found = await stat(path).catch(nullIfMissing);
      if (found && found.mtimeMs < before) await rm(path, { force: true });
    }
  }

  return {
    async find(job) {
      const file = wholeOf(job);
      // Usually there is none, and a thrown error would cost more than this check.
      if (!(await stat(file, { throwIfNoEntry: false }))) return null;
      const fetched = await readWhole(file).catch(nullIfMissing);
      return fetched && { file, ...fetched };
    },
    async add(job, fetch) {
      const part = join(directory, randomUUID() + PART);
      const file = wholeOf(job);
      try {
        const fetched = await fetch(part);
        await rename(part, file);
        await syncDirectory(directory);
        return { file, ...fetched };
      } finally {
        await rm(part, { force: true });
      }
    },
    remove: (job) => rm(wholeOf(job), { force: true }),
    async clean({ parts, whole }) {
      await removeOld(PART, parts);
      await removeOld(WHOLE, whole);
    },
  };
}

async function readWhole(file: string): Promise<FetchedRecording | null> {
  const hash = createHash("sha256");
  let head: Buffer = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    if (bytes === 0) head = chunk.subarray(0, SIGNATURE_BYTES);
    bytes += chunk.length;
    hash.update(chunk);
  }
  const contentType = audioTypeOf(head);
  return contentType === null ? null : { sha256: hash.digest("hex"), contentType, bytes };
}
