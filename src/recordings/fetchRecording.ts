// Fetches a recording into a file, with an HTTP client that does not know the service's token. The response is not trusted:
// its size, duration, type and content are checked.
import { createHash, type Hash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import type { Dispatcher } from "undici";
import { canDecode, decodeParts } from "../upstream/decodeBody.ts";
import { Agent } from "../upstream/undici.ts";
import { afterReading } from "../util/deadline.ts";
import { audioTypeOf, declaredKindOf, mayBecomeAudio, SIGNATURE_BYTES, type DeclaredKind } from "./audioType.ts";
import { createConnector, type ConnectorOptions } from "../upstream/outside/connector.ts";
import { codeSuffix } from "../upstream/outside/failureText.ts";
import { AddressError } from "../upstream/outside/publicLookup.ts";
import { FetchFailure, type RetryPolicy } from "./retrySchedule.ts";

export interface FetchLimits {
  /** The most bytes of the body as it comes, and of the file. */
  bytes: number;
  totalMs: number;
  /** Until the connection, until the response, and then from chunk to chunk. */
  idleMs: number;
}

export const FETCH_LIMITS: FetchLimits = { bytes: 200 * 1024 * 1024, totalMs: 120_000, idleMs: 10_000 };

export interface FetchedRecording {
  sha256: string;
  contentType: string;
  bytes: number;
}

export interface Fetcher extends AsyncDisposable {
  /** Why a link must not be fetched; null if it may. */
  refusalOf(address: string): string | null;
  /**
   * Writes the recording to `file`, which must not exist. It is on disk when this resolves. Throws FetchFailure or the
   * signal's reason; then `file` may exist and must be removed.
   */
  fetch(address: string, file: string, signal: AbortSignal): Promise<FetchedRecording>;
}

export type FetcherOptions = Omit<ConnectorOptions, "timeoutMs"> & { limits?: FetchLimits };

export function createFetcher({ limits = FETCH_LIMITS, ...options }: FetcherOptions): Fetcher {
  const { rules } = options;
  const agent = new Agent({
    connect: createConnector({ ...options, timeoutMs: limits.idleMs }),
    // The deadlines below replace undici's, which are less exact.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Connections are kept briefly, because their address was checked when they were opened.
    keepAliveTimeout: 1000,
    keepAliveMaxTimeout: 1000,
  });

  function refusalOf(address: string): string | null {
    const result = rules.check(address);
    return typeof result === "string" ? result : null;
  }
  async function fetch(address: string, file: string, signal: AbortSignal): Promise<FetchedRecording> {
    const url = rules.check(address);
    if (typeof url === "string") throw new FetchFailure(url, "never");
    using deadlines = startDeadlines(limits, signal);
    try {
      const response = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: "GET",
        headers: { accept: "audio/*", "accept-encoding": "identity", "user-agent": "switchboard" },
        signal: deadlines.signal,
      });
      deadlines.onProgress();
      return await saveBody(response, { file, limits, deadlines });
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(deadlines.signal.aborted ? deadlines.signal.reason : error);
    }
  }
  return { refusalOf, fetch, [Symbol.asyncDispose]: () => agent.destroy() };
}

interface Deadlines extends Disposable {
  /** Aborts with a FetchFailure, or with the caller's reason. */
  signal: AbortSignal;
  onProgress(): void;
}

function startDeadlines({ totalMs, idleMs }: FetchLimits, caller: AbortSignal): Deadlines {
  const limit = new AbortController();
  const end = (message: string) => limit.abort(new FetchFailure(message, "forADay"));
  const total = setTimeout(end, totalMs, `The download took longer than ${totalMs / 1000} s.`);
  let received = 0;
  const idle = setTimeout(() => {
    const before = received;
    afterReading(() => received === before && end(`The file's host sent nothing for ${idleMs / 1000} s.`));
  }, idleMs);
  return {
    signal: AbortSignal.any([limit.signal, caller]),
    onProgress() {
      received += 1;
      idle.refresh();
    },
    [Symbol.dispose]() {
      clearTimeout(total);
      clearTimeout(idle);
    },
  };
}

async function saveBody(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { file, limits, deadlines }: { file: string; limits: FetchLimits; deadlines: Deadlines },
): Promise<FetchedRecording> {
  try {
    checkHead(statusCode, headers, limits.bytes);
    await using handle = await open(file, "wx", 0o600);
    let received = 0;
    const counted = counting(body, (bytes) => {
      deadlines.onProgress();
      received += bytes;
      if (received > limits.bytes) throw tooLarge(limits.bytes);
    });
    const fetched = await write(decodeParts(counted, encodingIn(headers)), handle, limits.bytes, declaredIn(headers));
    const announced = headers["content-length"];
    if (announced !== undefined && Number(announced) !== received) throw incomplete();
    await handle.sync();
    return fetched;
  } finally {
    // The rest of a refused body is not read. Destroying it emits an error, which needs a listener.
    body.on("error", () => undefined).destroy();
  }
}

async function* counting(body: AsyncIterable<Buffer>, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/** The gateway asks for identity, but a host may have stored the file so, or a proxy before it may compress. */
function encodingIn({ "content-encoding": encoding }: Dispatcher.ResponseData["headers"]): string | undefined {
  return Array.isArray(encoding) ? encoding.join() : encoding;
}

function declaredIn({ "content-type": type }: Dispatcher.ResponseData["headers"]): DeclaredKind {
  return declaredKindOf(Array.isArray(type) ? type.join() : type);
}

function checkHead(status: number, headers: Dispatcher.ResponseData["headers"], maxBytes: number): void {
  if (status !== 200) throw new FetchFailure(`The file's host answered ${status}.`, retryAfterStatus(status));
  const { "content-length": length } = headers;
  if (!canDecode(encodingIn(headers)))
    throw new FetchFailure("The response has a Content-Encoding that the gateway does not know.", "briefly");
  if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes);
}

/** 403: what a bucket that may not be listed answers for a file that does not exist yet, and for an expired link. */
const NOT_YET = [202, 204, 403, 404, 408, 409, 423, 425, 429];

/** Redirects are not followed, because they are unchecked. */
function retryAfterStatus(status: number): RetryPolicy {
  if (NOT_YET.includes(status) || status >= 500) return "forADay";
  return status === 410 || status === 451 ? "never" : "briefly";
}

async function write(
  body: AsyncIterable<Buffer>,
  handle: FileHandle,
  maxBytes: number,
  declared: DeclaredKind,
): Promise<FetchedRecording> {
  const hash: Hash = createHash("sha256");
  let head: Buffer = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    if (head.length < SIGNATURE_BYTES) {
      head = Buffer.concat([head, chunk.subarray(0, SIGNATURE_BYTES)]);
      if (head.length >= SIGNATURE_BYTES) typeOf(head, declared);
    }
    hash.update(chunk);
    await handle.writeFile(chunk);
  }
  return { sha256: hash.digest("hex"), contentType: typeOf(head, declared), bytes };
}

function typeOf(head: Buffer, declared: DeclaredKind): string {
  const type = audioTypeOf(head);
  if (type !== null) return type;
  const why = declared === "maybeAudio" ? "" : ", and the response's Content-Type is not audio";
  throw new FetchFailure(
    `The file does not begin with the signature of an audio format${why}.`,
    mayBecomeAudio(head, declared) ? "forADay" : "never",
  );
}

const tooLarge = (max: number) => new FetchFailure(`The file is larger than ${max} bytes.`, "never");
const incomplete = () => new FetchFailure("The file is shorter or longer than its Content-Length.", "forADay");

/** The host may have another address at the next try, which is checked again. */
const AFTER_ADDRESS = { fixed: "never", changing: "briefly", unknown: "forADay" } as const;

/** Errors of undici, TLS, DNS or the disk. Only their code is shown, because a message may hold the link. */
function failureOf(error: unknown): FetchFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FetchFailure) return cause;
    if (cause instanceof AddressError) return new FetchFailure(cause.message, AFTER_ADDRESS[cause.address]);
  }
  const { code } = error as NodeJS.ErrnoException;
  if (/^(?:Z_|ZSTD_|ERR__ERROR_)/.test(code ?? ""))
    return new FetchFailure("The file is not what its Content-Encoding says.", "briefly");
  return new FetchFailure(`The file could not be fetched${codeSuffix(error)}.`, "forADay");
}
