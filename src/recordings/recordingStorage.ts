// Where archived recordings lie: a port with two implementations, a folder and an S3-compatible bucket.
import type { Readable } from "node:stream";
import type { FetchedRecording } from "./fetchRecording.ts";

/** From the first byte to the last one, both included, from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

/** Contents go by their SHA-256, in hex: the same bytes are kept once, and what has a name is whole. */
export interface RecordingStorage extends AsyncDisposable {
  /**
   * Keeps what `file` holds; the file stays where it is. Durable when it resolves; until then nothing of it can be read.
   * Keeping what is kept already makes it young again. Throws where the storage fails.
   */
  save(file: string, content: FetchedRecording): Promise<void>;
  /**
   * A stream of the range, with no more of it in memory than a few pieces; null where the content is not kept. Whoever
   * leaves destroys it. Throws where the storage fails.
   */
  read(sha256: string, range: ByteRange): Promise<Readable | null>;
  /** Forgets the content, unless it was kept, for the first time or again, since that instant (epoch milliseconds). */
  remove(sha256: string, unlessSince: number): Promise<void>;
}
