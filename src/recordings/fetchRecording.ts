// Fetches a recording into a file, by a client of its own that has never seen the service's token. Nothing of the answer is
// believed: its size, its duration, its type and its bytes are each held against a limit or a list.
import { createHash, type Hash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import type { Dispatcher } from "undici";
import { Agent } from "../upstream/undici.ts";
import { audioTypeOf, isAudioType, SIGNATURE_BYTES } from "./audioType.ts";
import { createConnector, type ConnectorOptions } from "./connector.ts";
import { FetchFailure } from "./fetchFailure.ts";

export interface FetchLimits {
  /** Of the body; what is encoded is refused, so they are the decoded ones too. */
  bytes: number;
  totalMs: number;
  /** To the connection, to the answer's head, and then from one piece to the next. */
  idleMs: number;
}

export const FETCH_LIMITS: FetchLimits = { bytes: 200 * 1024 * 1024, totalMs: 120_000, idleMs: 10_000 };

export interface FetchedRecording {
  sha256: string;
  contentType: string;
  bytes: number;
}

export interface Fetcher extends AsyncDisposable {
  /** Why a link must not be asked; null: it may be. */
  refusalOf(address: string): string | null;
  /**
   * Writes the recording to `file`, which must not be there yet, and which is on disk when this resolves. Throws
   * FetchFailure, or the signal's reason; the file may be there then, and is no recording.
   */
  fetch(address: string, file: string, signal: AbortSignal): Promise<FetchedRecording>;
}

export type FetcherOptions = Omit<ConnectorOptions, "timeoutMs"> & { limits?: FetchLimits };

export function createFetcher({ limits = FETCH_LIMITS, ...options }: FetcherOptions): Fetcher {
  const { rules } = options;
  const agent = new Agent({
    connect: createConnector({ ...options, timeoutMs: limits.idleMs }),
    // The deadlines below are exact, and end a trickle too.
    headersTimeout: 0,
    bodyTimeout: 0,
    // A connection is not kept for long: its address was judged when it was dialled.
    keepAliveTimeout: 1000,
    keepAliveMaxTimeout: 1000,
  });

  function refusalOf(address: string): string | null {
    const judged = rules.check(address);
    return typeof judged === "string" ? judged : null;
  }
  async function fetch(address: string, file: string, signal: AbortSignal): Promise<FetchedRecording> {
    const url = rules.check(address);
    if (typeof url === "string") throw new FetchFailure(url, "none");
    using watch = createWatch(limits, signal);
    try {
      const response = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: "GET",
        headers: { accept: "audio/*", "accept-encoding": "identity", "user-agent": "switchboard" },
        signal: watch.signal,
      });
      watch.progress();
      return await keep(response, { file, limits, watch });
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(watch.signal.aborted ? watch.signal.reason : error);
    }
  }
  return { refusalOf, fetch, [Symbol.asyncDispose]: () => agent.destroy() };
}

interface Watch extends Disposable {
  /** Aborts with a FetchFailure, or with the caller's reason. */
  signal: AbortSignal;
  progress(): void;
}

function createWatch({ totalMs, idleMs }: FetchLimits, caller: AbortSignal): Watch {
  const limit = new AbortController();
  const end = (message: string) => limit.abort(new FetchFailure(message, "good"));
  const total = setTimeout(end, totalMs, `The file was not there after ${totalMs / 1000} s.`);
  const idle = setTimeout(end, idleMs, `The file's host was silent for ${idleMs / 1000} s.`);
  return {
    signal: AbortSignal.any([limit.signal, caller]),
    progress: () => void idle.refresh(),
    [Symbol.dispose]() {
      clearTimeout(total);
      clearTimeout(idle);
    },
  };
}

async function keep(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { file, limits, watch }: { file: string; limits: FetchLimits; watch: Watch },
): Promise<FetchedRecording> {
  try {
    checkHead(statusCode, headers, limits.bytes);
    await using handle = await open(file, "wx", 0o600);
    const fetched = await write(body, handle, { limits, watch });
    const announced = headers["content-length"];
    if (announced !== undefined && Number(announced) !== fetched.bytes) throw incomplete();
    await handle.sync();
    return fetched;
  } finally {
    // What is left of a refused body is not read; a body that is destroyed says so to whoever listens.
    body.on("error", () => undefined).destroy();
  }
}

function checkHead(status: number, headers: Dispatcher.ResponseData["headers"], mostBytes: number): void {
  if (status !== 200) throw new FetchFailure(`The file's host answered ${status}.`, hopeOf(status));
  const { "content-type": type, "content-encoding": encoding, "content-length": length } = headers;
  if (typeof type !== "string" || !isAudioType(type))
    throw new FetchFailure("The file is not said to be audio.", "little");
  if (encoding !== undefined && encoding !== "identity") throw new FetchFailure("The file came encoded.", "little");
  if (length !== undefined && Number(length) > mostBytes) throw tooLarge(mostBytes);
}

/** 404 may mean that it is not there yet, 403 and 410 that the link has expired; a redirect leads where nobody judged. */
function hopeOf(status: number): "little" | "good" {
  return status === 404 || status === 408 || status === 425 || status === 429 || status >= 500 ? "good" : "little";
}

async function write(
  body: AsyncIterable<Buffer>,
  handle: FileHandle,
  { limits, watch }: { limits: FetchLimits; watch: Watch },
): Promise<FetchedRecording> {
  const hash: Hash = createHash("sha256");
  let head: Buffer = Buffer.alloc(0);
  let bytes = 0;
  for await (const piece of body) {
    watch.progress();
    bytes += piece.length;
    if (bytes > limits.bytes) throw tooLarge(limits.bytes);
    if (head.length < SIGNATURE_BYTES) {
      head = Buffer.concat([head, piece.subarray(0, SIGNATURE_BYTES)]);
      if (head.length >= SIGNATURE_BYTES) typeOf(head);
    }
    hash.update(piece);
    await handle.writeFile(piece);
  }
  return { sha256: hash.digest("hex"), contentType: typeOf(head), bytes };
}

function typeOf(head: Buffer): string {
  const type = audioTypeOf(head);
  if (type === null) throw new FetchFailure("The file does not begin as audio does.", "little");
  return type;
}

const tooLarge = (most: number) => new FetchFailure(`The file is larger than ${most} bytes.`, "none");
const incomplete = () => new FetchFailure("The file came incomplete.", "good");

/** Of undici, TLS, DNS or the disk: only what a code says is told. */
function failureOf(error: unknown): FetchFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof FetchFailure) return cause;
  const { code } = error as NodeJS.ErrnoException;
  const told = typeof code === "string" && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? ` (${code})` : "";
  return new FetchFailure(`The file could not be fetched${told}.`, "good");
}
