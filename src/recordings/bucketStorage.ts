// Keeps recordings in an S3-compatible bucket, as objects named by their content. Signed by aws4fetch; sent by a client of
// its own, so that bodies are streamed and deadlines are ours.
import { createReadStream } from "node:fs";
import { AwsV4Signer } from "aws4fetch";
import type { Dispatcher } from "undici";
import { Agent } from "../upstream/undici.ts";
import type { BucketConfig } from "../config/recordingsConfig.ts";
import type { RecordingStorage } from "./recordingStorage.ts";

/** From one piece of an answer, or of our own body, to the next. */
const IDLE_MS = 30_000;
/** SHA-256 of nothing. */
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

interface Ask {
  method: "PUT" | "GET" | "HEAD" | "DELETE";
  sha256: string;
  headers?: Record<string, string>;
  body?: Dispatcher.DispatchOptions["body"];
}

export function createBucketStorage({ url, region, accessKeyId, secretAccessKey }: BucketConfig): RecordingStorage {
  const base = url.replace(/\/+$/, "");
  const agent = new Agent({ headersTimeout: IDLE_MS, bodyTimeout: IDLE_MS, connect: { timeout: IDLE_MS } });
  const credentials = { accessKeyId, secretAccessKey, region, service: "s3" };

  async function ask({ method, sha256, headers = {}, body = null }: Ask): Promise<Dispatcher.ResponseData> {
    const object = `${base}/${sha256.slice(0, 2)}/${sha256}`;
    const signer = new AwsV4Signer({
      ...credentials,
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
  /** Without its body, where the status is one of these. */
  async function askStatus(request: Ask, expected: readonly number[]): Promise<Dispatcher.ResponseData> {
    const response = await ask(request);
    await response.body.dump();
    return checked(response, expected);
  }

  return {
    async save(file, { sha256, bytes, contentType }) {
      const headers = {
        "x-amz-content-sha256": sha256,
        "content-type": contentType,
        "content-length": String(bytes),
      };
      await askStatus({ method: "PUT", sha256, headers, body: createReadStream(file) }, [200, 201, 204]);
    },
    async read(sha256, { first, last }) {
      const response = await ask({ method: "GET", sha256, headers: { range: `bytes=${first}-${last}` } });
      if (response.statusCode === 206) return response.body;
      await response.body.dump();
      checked(response, [404]);
      return null;
    },
    async remove(sha256, unlessSince) {
      const { statusCode, headers } = await askStatus({ method: "HEAD", sha256 }, [200, 404]);
      if (statusCode === 404) return;
      // Told in whole seconds.
      const kept = Date.parse(String(headers["last-modified"]));
      if (Math.ceil(unlessSince / 1000) * 1000 <= kept) return;
      await askStatus({ method: "DELETE", sha256 }, [200, 204, 404]);
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

/** What the storage says in its own words may hold keys and names: the status alone is told. */
function checked(response: Dispatcher.ResponseData, expected: readonly number[]): Dispatcher.ResponseData {
  if (expected.includes(response.statusCode)) return response;
  throw new Error(`the bucket answered ${response.statusCode}`);
}
