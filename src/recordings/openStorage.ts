// Opens the configured storage of recordings: a folder or a bucket.
import type { RecordingsConfig } from "../config/recordingsConfig.ts";
import { createFileStorage, openFolder } from "./fileStorage.ts";
import type { RecordingStorage } from "./recordingStorage.ts";

/** Throws a ConfigError if the folder is not writable. */
export async function openStorage({
  directory,
  bucket,
}: Pick<RecordingsConfig, "directory" | "bucket">): Promise<RecordingStorage> {
  // Loaded on demand, because most gateways use a folder.
  if (bucket) return (await import("./bucketStorage.ts")).createBucketStorage(bucket);
  await openFolder(directory);
  return createFileStorage(directory);
}
