// Files in an S3-compatible bucket. Each is put with `If-None-Match: *`, so that nothing is overwritten, also where two gateways write at once
// or an answer was lost. A bucket that does not know this header is refused.
import { createHash } from "node:crypto";
import type { Dispatcher } from "undici";
import { regionOf } from "../../config/recordingsConfig.ts";
import type { BucketClient } from "../../upstream/outside/bucketClient.ts";
import { createConnector, type ConnectorOptions } from "../../upstream/outside/connector.ts";
import { failureText } from "../../upstream/outside/failureText.ts";
import { retryAfterSeconds } from "../../upstream/serviceResponse.ts";
import { startDeadline } from "../../util/deadline.ts";
import { TargetError, type FilesDestination, type FileTarget } from "./fileTarget.ts";

export type BucketTargetOptions = Omit<ConnectorOptions, "timeoutMs"> & { limits?: BucketLimits };

export interface BucketLimits {
  connectMs: number;
  /** For a request with its whole answer. */
  requestMs: number;
}

const TEXTS = { late: "The bucket did not answer in time.", unreachable: "The bucket could not be reached" };
const LIMITS: BucketLimits = { connectMs: 10_000, requestMs: 120_000 };
/** So many bytes of an answer that tells of an error are read. */
const MAX_ERROR = 4096;
/** No file that the gateway writes has so many bytes. */
const MAX_FILE = 256 * 1024 * 1024;
/** An empty object, by which the bucket shows that it overwrites nothing. */
const CHECK = ".switchboard-check";

interface Answer {
  status: number;
  /** False: it is no answer of a bucket, whatever its status is. */
  hasTag: boolean;
  /** The whole file where it was read; else what the answer says of an error. */
  body: Buffer;
  /** The code in the XML of an error. Null: there is none. */
  code: string | null;
  retryAfterMs: number | null;
}

export function createBucketTarget(
  definition: Extract<FilesDestination, { kind: "bucket" }>,
  { limits = LIMITS, ...options }: BucketTargetOptions,
): FileTarget {
  const { url } = definition;
  const stopping = new AbortController();
  let client: Promise<BucketClient> | null = null;
  let isChecked = false;

  /** Loaded on the first use, because few gateways have a bucket. */
  async function open(): Promise<BucketClient> {
    const { createBucketClient } = await import("../../upstream/outside/bucketClient.ts");
    const connect = createConnector({ ...options, timeoutMs: limits.connectMs });
    return createBucketClient({
      url,
      region: regionOf(definition),
      keys: () => definition,
      connect,
      answerMs: limits.requestMs,
    });
  }
  async function send(
    method: "PUT" | "GET",
    name: string,
    bytes: Uint8Array | null,
    caller: AbortSignal,
  ): Promise<Answer> {
    // The definition was checked, with the same rules.
    const address = options.rules.check(url);
    if (typeof address === "string") throw new TargetError(address);
    const signal = AbortSignal.any([caller, stopping.signal]);
    using deadline = startDeadline(limits.requestMs, signal);
    try {
      const { send: ask } = await (client ??= open());
      const headers = bytes === null ? {} : headersOf(name, bytes);
      return await readAnswer(await ask({ method, name, headers, body: bytes, signal: deadline.signal }), method);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof TargetError ? error : new TargetError(failureText(error, TEXTS));
    }
  }
  async function putUnchecked(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<boolean> {
    const answer = await send("PUT", name, bytes, signal);
    if (isStored(answer)) return true;
    // 304 is the answer of some services: https://github.com/apache/arrow-rs-object-store/pull/852
    if (answer.status === 412 || answer.status === 304) return false;
    throw refusalOf(answer);
  }
  async function get(name: string, signal: AbortSignal): Promise<Buffer | null> {
    const answer = await send("GET", name, null, signal);
    if (answer.status === 404 && answer.code !== "NoSuchBucket") return null;
    if (answer.status === 200 && answer.hasTag) return answer.body;
    throw refusalOf(answer);
  }
  /** Once for each start. A bucket that ignores the header answers as if the object were new. */
  async function check(signal: AbortSignal): Promise<void> {
    const empty = Buffer.alloc(0);
    if ((await putUnchecked(CHECK, empty, signal)) && (await putUnchecked(CHECK, empty, signal)))
      throw new TargetError(OVERWRITES);
    if ((await get(CHECK, signal))?.length !== 0) throw new TargetError(NO_CHECK);
    isChecked = true;
  }
  return {
    async put(name, bytes, signal) {
      if (!isChecked) await check(signal);
      return putUnchecked(name, bytes, signal);
    },
    get,
    test: check,
    async [Symbol.asyncDispose]() {
      stopping.abort(new TargetError("The gateway stops."));
      await (await client?.catch(() => null))?.[Symbol.asyncDispose]();
    },
  };
}

const OVERWRITES =
  "The bucket overwrites what is there: it does not know `If-None-Match` of a PUT. Choose one that does, or a folder.";
const NO_CHECK = `The bucket does not give back what was put: ${CHECK} is missing, or is not empty.`;

function headersOf(name: string, bytes: Uint8Array): Record<string, string> {
  return {
    "content-length": String(bytes.length),
    "content-md5": createHash("md5").update(bytes).digest("base64"),
    "content-type": name.endsWith(".gz") ? "application/gzip" : "application/json",
    "if-none-match": "*",
    "x-amz-content-sha256": createHash("sha256").update(bytes).digest("hex"),
  };
}

/**
 * Not by the status alone. Some services send 200 first, and then what went wrong:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html. And a proxy or a page of maintenance may answer in the bucket's place.
 */
const isStored = ({ status, hasTag, body }: Answer) => status === 200 && hasTag && body.toString().trim() === "";

async function readAnswer(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  method: string,
): Promise<Answer> {
  const isFile = method === "GET" && status === 200;
  const bytes = await readBody(body, isFile ? MAX_FILE : MAX_ERROR);
  if (isFile && bytes.length > MAX_FILE)
    throw new TargetError("A file in the bucket is larger than any of the gateway's.");
  const [, code = null] = isFile ? [] : (/<Code>\s*([A-Za-z]{1,64})\s*<\/Code>/.exec(bytes.toString("latin1")) ?? []);
  const { "retry-after": after } = headers;
  const seconds = retryAfterSeconds(Array.isArray(after) ? after[0] : after);
  const retryAfterMs = seconds === undefined ? null : seconds * 1000;
  return { status, hasTag: headers.etag !== undefined, body: bytes, code, retryAfterMs };
}

/** What is more than `limit` is not read. */
async function readBody(body: Dispatcher.ResponseData["body"], limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) break;
  }
  return Buffer.concat(chunks);
}

/** What people can do about it, by the code. The text of an answer may quote keys and names. */
const ADVICE: Readonly<Record<string, string>> = {
  NoSuchBucket: "create it, or mend the url",
  InvalidAccessKeyId: "it does not know the accessKeyId",
  SignatureDoesNotMatch: "the secretAccessKey or the region is wrong",
  AuthorizationHeaderMalformed: "the region is wrong",
  ExpiredToken: "the sessionToken has expired: put new keys into the file",
  InvalidToken: "the sessionToken is none of this accessKeyId",
  InvalidBucketName: "the url names no bucket: in its host, `addressing` is `virtual`",
  AccessDenied: "the key needs s3:PutObject and s3:GetObject on the prefix",
  RequestTimeTooSkewed: "the clock of this machine is wrong",
  PermanentRedirect: "the bucket has another region or address, which the url must name",
  TemporaryRedirect: "the bucket has another region or address, which the url must name",
  NotImplemented: "it does not know `If-None-Match` of a PUT, without which files may be overwritten",
};

function refusalOf({ status, code, retryAfterMs }: Answer): TargetError {
  const isRedirect = status >= 300 && status < 400;
  const isStrange = status >= 200 && status < 300 && code === null;
  const advice = isStrange
    ? "a bucket answers with an ETag alone"
    : ADVICE[code ?? (isRedirect ? "PermanentRedirect" : "")];
  const what = code === null ? String(status) : `${status} ${code}`;
  return new TargetError(`The bucket answered ${what}${advice === undefined ? "" : `: ${advice}`}.`, {
    status: status >= 200 && status < 300 ? null : status,
    retryAfterMs,
  });
}
