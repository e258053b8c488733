// Signed requests to an S3-compatible bucket. aws4fetch signs them; undici sends them, because it streams bodies and has deadlines.
import { AwsV4Signer } from "aws4fetch";
import type { buildConnector, Dispatcher } from "undici";
import type { BucketKeys } from "../../config/recordingsConfig.ts";
import { Agent } from "../undici.ts";

/** From chunk to chunk of either body, and until the status. */
const IDLE_MS = 30_000;
/** The SHA-256 of an empty body. */
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export interface BucketRequest {
  method: "PUT" | "GET" | "HEAD" | "DELETE";
  /** Below the bucket's address. */
  name: string;
  /** With a body: also its `x-amz-content-sha256`. */
  headers?: Record<string, string>;
  body?: Dispatcher.DispatchOptions["body"];
  signal?: AbortSignal;
}

export interface BucketClient extends AsyncDisposable {
  /** The answer, whatever its status is. No redirect is followed, and nothing is sent again. */
  send(request: BucketRequest): Promise<Dispatcher.ResponseData>;
}

export interface BucketClientOptions {
  /** As of BucketConfig. */
  url: string;
  region: string;
  /** Those of now, asked for each request. */
  keys: () => BucketKeys;
  connect?: buildConnector.connector;
  /** Until the status, in ms. For a body of one piece it begins with the upload. Default: as from chunk to chunk. */
  answerMs?: number;
}

export function createBucketClient({
  url,
  region,
  keys,
  connect,
  answerMs = IDLE_MS,
}: BucketClientOptions): BucketClient {
  // The signer takes a + for a blank.
  const base = url.replace(/\/+$/, "").replaceAll("+", "%2B");
  const agent = new Agent({
    headersTimeout: answerMs,
    bodyTimeout: IDLE_MS,
    allowH2: false,
    connect: connect ?? { timeout: IDLE_MS },
  });
  return {
    async send({ method, name, headers = {}, body = null, signal }) {
      const { accessKeyId, secretAccessKey, sessionToken } = keys();
      const signer = new AwsV4Signer({
        accessKeyId,
        secretAccessKey,
        ...(sessionToken === undefined ? {} : { sessionToken }),
        region,
        service: "s3",
        method,
        url: `${base}/${name}`,
        headers: { "x-amz-content-sha256": EMPTY, ...headers },
      });
      const signed = await signer.sign();
      return agent.request({
        origin: signed.url.origin,
        path: signed.url.pathname + signed.url.search,
        method,
        headers: Object.fromEntries(signed.headers),
        body,
        ...(signal === undefined ? {} : { signal }),
      });
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}
