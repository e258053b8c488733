// Where recordings are kept, as the configuration has it: a folder, or a bucket.
import type { RecordingsConfig } from "../recordingsConfig.ts";
import { createFileStorage } from "./fileStorage.ts";
import type { RecordingStorage } from "./recordingStorage.ts";

export async function openStorage({
  directory,
  bucket,
}: Pick<RecordingsConfig, "directory" | "bucket">): Promise<RecordingStorage> {
  // Loaded where it is used: most gateways have a folder.
  return bucket ? (await import("./bucketStorage.ts")).createBucketStorage(bucket) : createFileStorage(directory);
}
