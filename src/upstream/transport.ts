// Sends a GET to the service and reads its answer, within one deadline. It asks once: a retry, a breaker, a cache or a
// single flight wraps `Transport`, whose answer shows every status.
import { Pool, type Dispatcher } from "undici";
import { failureOf } from "./failure.ts";
import type { Answer } from "./answer.ts";

/** Larger answers are refused while they arrive. A page of 100 calls is some 50 kB. */
const LARGEST_ANSWER = 16 * 1024 * 1024;
const CONNECTIONS = 256;

export interface Service {
  /** The base address; it may have a path of its own. */
  url: string;
  /** Sent as `Authorization: Bearer <token>` (section 5), to that address only. */
  token: string;
  /** Deadline of one request, from the call to the last byte of the answer. */
  timeoutMs: number;
}

export interface Transport extends AsyncDisposable {
  /**
   * `path` starts with a slash and follows the base address. Any status is an answer; no redirect is followed. Throws
   * UPSTREAM_UNAVAILABLE, UPSTREAM_TIMEOUT or UPSTREAM_CONTRACT, and the signal's reason where the caller aborts. Disposing
   * it ends what is under way.
   */
  get(path: string, signal?: AbortSignal): Promise<Answer>;
}

export function createTransport({ url, token, timeoutMs }: Service): Transport {
  const { origin, prefix } = addressOf(url);
  // Bound to one origin, so that the token cannot reach another. undici's own deadlines are coarse and start anew with
  // each byte: ours replaces them.
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    maxResponseSize: LARGEST_ANSWER,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: timeoutMs },
  });

  async function get(path: string, caller?: AbortSignal): Promise<Answer> {
    caller?.throwIfAborted();
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = caller ? AbortSignal.any([deadline, caller]) : deadline;
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    try {
      const response = await pool.request({ path: prefix + path, method: "GET", headers, signal });
      return await readAnswer(response, signal);
    } catch (error) {
      caller?.throwIfAborted();
      throw failureOf(error, deadline);
    }
  }
  return { get, [Symbol.asyncDispose]: () => pool.destroy() };
}

/** The base address in two: where to connect, and what every path starts with, without a slash at its end. */
export function addressOf(url: string): { origin: string; prefix: string } {
  const { origin, pathname } = new URL(url);
  return { origin, prefix: pathname.replace(/\/+$/, "") };
}

async function readAnswer(response: Dispatcher.ResponseData, signal: AbortSignal): Promise<Answer> {
  const { statusCode: status, headers, body } = response;
  const retryAfter = headers["retry-after"];
  const date = headers["date"];
  const answer = {
    status,
    retryAfter: typeof retryAfter === "string" ? retryAfter : undefined,
    date: typeof date === "string" ? date : undefined,
  };
  if (status >= 200 && status < 300) return { ...answer, text: await body.text() };
  // The text of a refusal is not ours to show. It is drained, so that the connection can serve again, but not awaited.
  void body.dump({ limit: 64 * 1024, signal }).catch(() => undefined);
  return { ...answer, text: "" };
}
