// Sends one GET to the service over HTTP and collects its response. The size, content type and encoding of the response are
// checked as it arrives. The transport does not retry and sets no deadline: the cancellation ends a request.
import { isUtf8 } from "node:buffer";
import type { Dispatcher } from "undici";
import { onCancel, throwIfCancelled, type Cancellation } from "./cancellation.ts";
import { contractError, transportError, type ServiceResponse } from "./serviceResponse.ts";
import { Pool } from "./undici.ts";

/** A GET on its way down the layers of the client. */
export interface OutgoingRequest {
  /** Cancelled when the last caller leaves, or at the deadline. */
  cancellation: Cancellation;
  /** On the monotonic clock (performance.now): one deadline for the queue, all attempts, the pauses and the last byte. */
  deadlineAt: number;
  /** How often it was sent so far. */
  attempts: number;
  /** Charges one of the callers. Throws if no caller is left that can pay. */
  beforeSend(): void | Promise<void>;
}

/**
 * Sends a GET. Each layer of the client (circuit breaker, retry, concurrency limit, transport) is a Send around the next one. `path`
 * starts with a slash and follows the base address. Resolves with any status. Throws UPSTREAM_UNAVAILABLE, UPSTREAM_TIMEOUT or
 * UPSTREAM_CONTRACT, and the cancellation's reason once the request is cancelled.
 */
export type Send = (path: string, request: OutgoingRequest) => Promise<ServiceResponse>;

export interface ServiceEndpoint {
  /** The base address; it may have a path. */
  url: string;
  /** Sent as `Authorization: Bearer <token>` (section 5), to that address only. */
  token: string;
  /** Deadline of one request, from the call to the last byte of the response, in milliseconds. */
  timeoutMs: number;
}

export interface TransportOptions extends ServiceEndpoint {
  /** The largest number of connections. */
  connections: number;
}

export interface Transport extends AsyncDisposable {
  /** Redirects are not followed. Disposing the transport ends the requests in flight. */
  send: Send;
  /** Requests since the start. */
  sent(): number;
}

/** Larger bodies are cut off while they arrive. A page of 100 calls has about 50 kB. */
const MAX_BODY_MB = 16;
const MAX_BODY_BYTES = MAX_BODY_MB * 1024 * 1024;
/** The body of an error response is discarded. Reading this much, for this long, keeps its connection usable. */
const MAX_DISCARDED_BYTES = 64 * 1024;
const MAX_DISCARD_MS = 1000;
const JSON_TYPE = /^(application|text)\/([\w.-]+\+)?json\s*(;|$)/i;

export function createTransport({ url, token, timeoutMs, connections }: TransportOptions): Transport {
  const { origin, prefix } = splitBaseUrl(url);
  // The pool is bound to one origin, so the token cannot reach another. undici's own timeouts are off: they are coarse and
  // restart with each byte.
  const pool = new Pool(origin, { connections, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: timeoutMs } });
  const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
  let sent = 0;

  return {
    async send(path, request) {
      const payment = request.beforeSend();
      // Awaited only if it is a promise, because each await costs a microtask.
      if (payment) await payment;
      throwIfCancelled(request.cancellation);
      request.attempts += 1;
      sent += 1;
      const { handler, response } = collectResponse(request.cancellation);
      pool.dispatch({ path: prefix + path, method: "GET", headers }, handler);
      return response;
    },
    sent: () => sent,
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

/** Splits the base address into the origin to connect to and the prefix of every path, without a slash at its end. */
export function splitBaseUrl(url: string): { origin: string; prefix: string } {
  const { origin, pathname } = new URL(url);
  return { origin, prefix: pathname.replace(/\/+$/, "") };
}

interface ResponseCollector {
  handler: Dispatcher.DispatchHandler;
  /** Rejects with the cancellation's reason as soon as the request is cancelled. */
  response: Promise<ServiceResponse>;
}

/** A response that breaks a limit is cut off at once, so it is never held whole. */
function collectResponse(cancellation: Cancellation): ResponseCollector {
  const { promise, resolve, reject } = Promise.withResolvers<ServiceResponse>();
  let controller: Dispatcher.DispatchController | undefined;
  let isAborted = false;
  let chunks: Buffer[] = [];
  let size = 0;
  let maxBytes = MAX_BODY_BYTES;
  let head: Omit<ServiceResponse, "text"> | undefined;
  let discardTimer: NodeJS.Timeout | undefined;

  const stopListening = onCancel(cancellation, () => abort(cancellation.reason));

  function abort(reason: unknown): void {
    isAborted = true;
    chunks = [];
    settle(() => reject(reason));
    controller?.abort(new Error("The response is no longer needed."));
  }
  function settle(resolveOrReject: () => void): void {
    stopListening();
    resolveOrReject();
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(given) {
      controller = given;
      if (isAborted) given.abort(new Error("The response is no longer needed."));
    },
    onResponseStart(given, status, headers) {
      if (status < 200) return;
      head = { status, retryAfter: textOf(headers["retry-after"]), date: textOf(headers["date"]) };
      if (status > 299) {
        maxBytes = MAX_DISCARDED_BYTES;
        const tooSlow = () => given.abort(new Error("The body of an error response arrived too slowly."));
        discardTimer = setTimeout(tooSlow, MAX_DISCARD_MS).unref();
        return settle(() => resolve({ ...(head as ServiceResponse), text: "" }));
      }
      const type = textOf(headers["content-type"]);
      if (type !== undefined && !JSON_TYPE.test(type)) {
        return abort(contractError("The service's answer is not JSON: see its Content-Type."));
      }
      if (Number(headers["content-length"] ?? 0) > maxBytes) abort(tooLargeError());
    },
    onResponseData(_, chunk) {
      size += chunk.length;
      if (size > maxBytes) abort(tooLargeError());
      else if (maxBytes === MAX_BODY_BYTES) chunks.push(chunk);
    },
    onResponseEnd() {
      clearTimeout(discardTimer);
      if (isAborted || !head) return;
      const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
      if (!isUtf8(body)) return abort(contractError("The service's answer is not valid UTF-8."));
      const text = body.toString("utf8");
      settle(() => resolve({ ...(head as ServiceResponse), text: text.startsWith("\uFEFF") ? text.slice(1) : text }));
    },
    onResponseError(_, error) {
      clearTimeout(discardTimer);
      chunks = [];
      settle(() => reject(transportError(error)));
    },
  };
  return { handler, response: promise };
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}

function tooLargeError() {
  return contractError(`The service's answer is larger than ${MAX_BODY_MB} MB, the limit.`);
}
