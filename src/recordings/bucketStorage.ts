// Stores recordings in an S3-compatible bucket, as objects named by their SHA-256. aws4fetch signs the requests; undici sends
// them, because it streams bodies and has deadlines.
import { createReadStream } from "node:fs";
import { AwsV4Signer } from "aws4fetch";
import type { Dispatcher } from "undici";
import { Agent } from "../upstream/undici.ts";
import type { BucketConfig, BucketKeys } from "../config/recordingsConfig.ts";
import type { RecordingStorage } from "./recordingStorage.ts";
import { httpDateMs } from "../format/instant.ts";

/** Until the connection, and from chunk to chunk of either body. */
const IDLE_MS = 30_000;
/** The SHA-256 of an empty body. */
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

interface BucketRequest {
  method: "PUT" | "GET" | "HEAD" | "DELETE";
  sha256: string;
  headers?: Record<string, string>;
  body?: Dispatcher.DispatchOptions["body"];
}

/** `keys`: those of now, asked for each request. */
export function createBucketStorage(
  { url, region, ...first }: BucketConfig,
  keys: () => BucketKeys = () => first,
): RecordingStorage {
  const base = url.replace(/\/+$/, "");
  const agent = new Agent({ headersTimeout: IDLE_MS, bodyTimeout: IDLE_MS, connect: { timeout: IDLE_MS } });

  async function send({ method, sha256, headers = {}, body = null }: BucketRequest): Promise<Dispatcher.ResponseData> {
    const object = `${base}/${sha256.slice(0, 2)}/${sha256}`;
    const signer = new AwsV4Signer({
      ...keys(),
      region,
      service: "s3",
      method,
      url: object,
      headers: { "x-amz-content-sha256": EMPTY, ...headers },
    });
    const signed = await signer.sign();
    return agent.request({
      origin: signed.url.origin,
      path: signed.url.pathname + signed.url.search,
      method,
      headers: Object.fromEntries(signed.headers),
      body,
    });
  }
  /** Discards the body and throws unless the status is expected. */
  async function sendForStatus(request: BucketRequest, expected: readonly number[]): Promise<Dispatcher.ResponseData> {
    const response = await send(request);
    await response.body.dump();
    return checkStatus(response, expected);
  }

  return {
    async save(file, { sha256, bytes, contentType }) {
      const headers = {
        "x-amz-content-sha256": sha256,
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
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

/** The error has only the status, because a response body may hold keys and names. */
function checkStatus(response: Dispatcher.ResponseData, expected: readonly number[]): Dispatcher.ResponseData {
  if (expected.includes(response.statusCode)) return response;
  throw Object.assign(new Error(`the bucket answered ${response.statusCode}`), { status: response.statusCode });
}
