// Where recordings are kept, as the configuration has it: a folder, or a bucket.
import type { RecordingsConfig } from "../config/recordingsConfig.ts";
import { createFileStorage } from "./fileStorage.ts";
import { openFolder } from "./folder.ts";
import type { RecordingStorage } from "./recordingStorage.ts";

/** Throws a ConfigError where the folder cannot be had. */
export async function openStorage({
  directory,
  bucket,
}: Pick<RecordingsConfig, "directory" | "bucket">): Promise<RecordingStorage> {
  // Loaded where it is used: most gateways have a folder.
  if (bucket) return (await import("./bucketStorage.ts")).createBucketStorage(bucket);
  await openFolder(directory);
  return createFileStorage(directory);
}
