// The port of the storage of recordings. It has two implementations: a folder and an S3-compatible bucket.
import type { Readable } from "node:stream";
import type { FetchedRecording } from "./fetchRecording.ts";

/** Byte positions from 0, both inclusive. */
export interface ByteRange {
  first: number;
  last: number;
}

/** Files are named by their SHA-256 in hex: equal files are stored once, and a file that has its name is complete. */
export interface RecordingStorage extends AsyncDisposable {
  /**
   * Copies `file` into the storage. Durable when it resolves; readers never see a part of it. Saving a stored file again
   * renews its time. Throws if the storage fails.
   */
  save(file: string, content: FetchedRecording): Promise<void>;
  /**
   * Streams the range with a few chunks in memory; null if the file is not stored. A caller that stops reading must destroy
   * the stream. Throws if the storage fails.
   */
  read(sha256: string, range: ByteRange): Promise<Readable | null>;
  /** Deletes the file unless it was saved since `unlessSavedSince`, in epoch milliseconds. False: it was, so it is still there. */
  remove(sha256: string, unlessSavedSince: number): Promise<boolean>;
  /** The files that were last saved before a time. A bucket lists none: a lifecycle rule of its own deletes old objects. */
  savedBefore(time: number): AsyncIterable<string>;
}
