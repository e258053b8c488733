// Stores recordings in an S3-compatible bucket, as objects named by their SHA-256.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Dispatcher } from "undici";
import type { BucketConfig, BucketKeys } from "../config/recordingsConfig.ts";
import { createBucketClient, type BucketRequest } from "../upstream/outside/bucketClient.ts";
import type { RecordingStorage } from "./recordingStorage.ts";
import { httpDateMs } from "../format/instant.ts";

type RecordingRequest = Omit<BucketRequest, "name"> & { sha256: string };

/** `keys`: those of now, asked for each request. */
export function createBucketStorage(
  { url, region, ...first }: BucketConfig,
  keys: () => BucketKeys = () => first,
): RecordingStorage {
  const client = createBucketClient({ url, region, keys });
  const send = ({ sha256, ...request }: RecordingRequest) =>
    client.send({ ...request, name: `${sha256.slice(0, 2)}/${sha256}` });

  /** Discards the body and throws unless the status is expected. */
  async function sendForStatus(
    request: RecordingRequest,
    expected: readonly number[],
  ): Promise<Dispatcher.ResponseData> {
    const response = await send(request);
    await response.body.dump();
    return checkStatus(response, expected);
  }

  return {
    async save(file, { sha256, bytes, contentType }) {
      const headers = {
        "x-amz-content-sha256": sha256,
        // A bucket with a retention (Object Lock) takes nothing without it: https://github.com/aws/aws-sdk-php/issues/1694
        "content-md5": await md5Of(file),
        "content-type": contentType,
        "content-length": String(bytes),
      };
      await sendForStatus({ method: "PUT", sha256, headers, body: createReadStream(file) }, [200, 201, 204]);
    },
    async read(sha256, { first, last }) {
      const response = await send({ method: "GET", sha256, headers: { range: `bytes=${first}-${last}` } });
      if (response.statusCode === 206) return response.body;
      await response.body.dump();
      checkStatus(response, [404]);
      return null;
    },
    async remove(sha256, unlessSavedSince) {
      const { statusCode, headers } = await sendForStatus({ method: "HEAD", sha256 }, [200, 404]);
      if (statusCode === 404) return true;
      // Last-Modified has whole seconds.
      const savedAt = httpDateMs(String(headers["last-modified"]));
      if (Math.ceil(unlessSavedSince / 1000) * 1000 <= savedAt) return false;
      await sendForStatus({ method: "DELETE", sha256 }, [200, 204, 404]);
      return true;
    },
    async *savedBefore() {},
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

async function md5Of(file: string): Promise<string> {
  const hash = createHash("md5");
  await pipeline(createReadStream(file), hash);
  return hash.digest("base64");
}

/** The error has only the status, because a response body may hold keys and names. */
function checkStatus(response: Dispatcher.ResponseData, expected: readonly number[]): Dispatcher.ResponseData {
  if (expected.includes(response.statusCode)) return response;
  throw Object.assign(new Error(`the bucket answered ${response.statusCode}`), { status: response.statusCode });
}
