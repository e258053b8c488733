// Files on their way into the archive. What is whole goes by its job's name and stays until the job is settled: neither a
// kill nor an outage of the database or of the storage makes it necessary to fetch again what may be gone by then.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RecordingJob } from "../store/recordings/recordingStore.ts";
import { audioTypeOf, SIGNATURE_BYTES } from "./audioType.ts";
import type { FetchedRecording } from "./fetchRecording.ts";
import { nullIfMissing, syncDirectory } from "./fileStorage.ts";
import { openFolder } from "./folder.ts";

export interface Spooled extends FetchedRecording {
  file: string;
}

export interface Spool {
  /** What was fetched whole for this job, by whichever gateway on this folder; null: nothing. */
  find(job: RecordingJob): Promise<Spooled | null>;
  /** Keeps what `fetch` writes to the file it is given; where it throws, nothing of it is left. */
  add(job: RecordingJob, fetch: (file: string) => Promise<FetchedRecording>): Promise<Spooled>;
  remove(job: Pick<RecordingJob, "sessionId" | "url">): Promise<void>;
  /** Removes what killed gateways left behind: files that were last written before that instant (epoch milliseconds). */
  clean(before: { parts: number; whole: number }): Promise<void>;
}

const [PART, WHOLE] = [".part", ".whole"];

/** Throws a ConfigError where the folder cannot be had. */
export async function openSpool(directory: string): Promise<Spool> {
  await openFolder(directory);
  /** The URL is another one with each revision that begins anew. */
  const wholeOf = ({ sessionId, url }: Pick<RecordingJob, "sessionId" | "url">) =>
    join(directory, createHash("sha256").update(`${sessionId}\0${url}`).digest("hex") + WHOLE);

  async function removeOld(ending: string, before: number): Promise<void> {
    for (const name of (await readdir(directory)).filter((each) => each.endsWith(ending))) {
      const path = join(directory, name);
      const found = await stat(path).catch(nullIfMissing);
      if (found && found.mtimeMs < before) await rm(path, { force: true });
    }
  }

  return {
    async find(job) {
      const file = wholeOf(job);
      // Mostly there is none, and an error would cost more than the look.
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
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    if (bytes === 0) head = piece.subarray(0, SIGNATURE_BYTES);
    bytes += piece.length;
    hash.update(piece);
  }
  const contentType = audioTypeOf(head);
  return contentType === null ? null : { sha256: hash.digest("hex"), contentType, bytes };
}
