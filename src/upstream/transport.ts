// Sends GETs to the service over kept connections, and checks the size, content type and encoding of each response. The transport
// does not retry and sets no deadline.
import { isUtf8 } from "node:buffer";
import { createConnections, type Connection } from "./connections.ts";
import { charsetsOf, declaredCharset, decodeStrictly } from "../format/bodyCharset.ts";
import { decodeBody } from "./decodeBody.ts";
import type { ResponseHead } from "./responseReader.ts";
import type { ServiceToken } from "./serviceToken.ts";
import { contractError, unavailableError, type ServiceResponse } from "./serviceResponse.ts";

export interface ServiceEndpoint {
  /** The base address; it may have a path. */
  url: string;
  /** Sent as `Authorization: Bearer <token>` (section 5), to that address only. */
  token: ServiceToken;
  /** Deadline of one request, from the call to the last byte of the response, in milliseconds. */
  timeoutMs: number;
}

export interface Transport extends AsyncDisposable {
  /**
   * Sends a GET over a connection that no other request uses. `path` starts with a slash and follows the base address.
   * Redirects are not followed. Returns the function that ends the request: then `onOutcome` is not called any more. Disposing
   * the transport ends the requests in flight.
   */
  send(path: string, request: TransportRequest): () => void;
  /** Requests since the start. */
  sent(): number;
}

export interface TransportRequest {
  /** A header of the request, which continues a trace. Null: none. */
  traceparent: string | null;
  /** True: a new connection is opened for it, and `onStale` is not called. */
  onlyNew: boolean;
  /** Called in place of `onOutcome` if a kept connection was closed before the response: the service may have closed it as idle. */
  onStale(): void;
  /** Called once, with any status, or UPSTREAM_UNAVAILABLE, UPSTREAM_TIMEOUT or UPSTREAM_CONTRACT. */
  onOutcome(outcome: ServiceResponse | Error): void;
  /** Called once, when the connection is free or closed: the body of an error response may end after `onOutcome`. */
  onFree(): void;
}

/** Larger bodies are cut off while they arrive. A page of 100 calls has about 50 kB. */
const MAX_BODY_MB = 16;
export const MAX_BODY_BYTES = MAX_BODY_MB * 1024 * 1024;
/** The body of an error response is discarded. Reading this much, for this long, keeps its connection usable. */
export const MAX_DISCARDED_BYTES = 64 * 1024;
const MAX_DISCARD_MS = 1000;
const JSON_TYPE = /^(application|text)\/([\w.-]+\+)?json\s*(;|$)/i;

/** What a path must not hold: a line break would begin another header. */
export const UNSAFE_IN_PATH = /[^\x21-\x7e]/;
const UNSAFE_IN_HEADER = /[^\t\x20-\x7e\x80-\xff]/;

export function createTransport({ url, token }: ServiceEndpoint): Transport {
  const { origin, prefix } = splitBaseUrl(url);
  const { host } = new URL(origin);
  const connections = createConnections(new URL(origin));
  let headToken = token.current();
  let sameHead = headOf(host, headToken);
  let sent = 0;

  function send(path: string, request: TransportRequest): () => void {
    const { traceparent, onlyNew, onStale, onOutcome, onFree } = request;
    let connection: Connection | undefined;
    let head: ResponseHead | undefined;
    let discardTimer: NodeJS.Timeout | undefined;
    let isSettled = false;
    let isFree = false;

    sent += 1;
    if (token.current() !== headToken) {
      headToken = token.current();
      sameHead = headOf(host, headToken);
    }
    // When this turn of the event loop has read the sockets: bytes that the service sent unasked have then closed their connection,
    // and cannot be taken for the response to this request.
    setImmediate(begin);
    return abort;

    function begin(): void {
      if (isFree) return;
      if (UNSAFE_IN_PATH.test(path)) return refuse(new TypeError("A path has characters that must be encoded."));
      connection = connections.take(onlyNew);
      if (!connection) return refuse(unavailableError());
      const ownHead = traceparent === null ? "" : `traceparent: ${traceparent}\r\n`;
      connection.request(`GET ${prefix}${path}${sameHead}${ownHead}\r\n`, { onHead, onEnd, onError });
    }
    function onHead(received: ResponseHead): number {
      head = received;
      if (head.status > 299) {
        discardTimer = setTimeout(abort, MAX_DISCARD_MS).unref();
        settle(responseOf(head, ""));
        return MAX_DISCARDED_BYTES;
      }
      try {
        checkContentType(head.headers.get("content-type"));
      } catch (error) {
        refuse(error as Error);
      }
      return MAX_BODY_BYTES;
    }
    function onEnd(body: Buffer | null, keepsAlive: boolean): void {
      if (isFree) return;
      if (keepsAlive && connection) connections.giveBack(connection);
      free();
      if (isSettled || !head) return;
      if (!body) return settle(tooLargeError());
      let text: string;
      try {
        text = textOf(body, head.headers.get("content-encoding"), head.headers.get("content-type"));
      } catch (error) {
        return settle(error as Error);
      }
      settle(responseOf(head, text));
    }
    function onError(error: Error, isStale: boolean): void {
      free();
      if (isStale) onStale();
      else settle(error);
    }
    function settle(outcome: ServiceResponse | Error): void {
      if (isSettled) return;
      isSettled = true;
      onOutcome(outcome);
    }
    function free(): void {
      if (isFree) return;
      isFree = true;
      clearTimeout(discardTimer);
      onFree();
    }
    function refuse(error: Error): void {
      settle(error);
      abort();
    }
    function abort(): void {
      isSettled = true;
      // A free connection may have another request.
      if (!isFree) connection?.destroy();
      free();
    }
  }

  return { send, sent: () => sent, [Symbol.asyncDispose]: async () => connections.close() };
}

/** The part of the head that all requests have. Throws TypeError for a token that no header may have. */
function headOf(host: string, token: string): string {
  if (UNSAFE_IN_HEADER.test(token))
    throw new TypeError("The token for the service has characters that no header may have.");
  const headers = [
    `host: ${host}`,
    "connection: keep-alive",
    `authorization: Bearer ${token}`,
    "accept: application/json",
    "accept-encoding: identity",
  ];
  return ` HTTP/1.1\r\n${headers.join("\r\n")}\r\n`;
}

/** Throws UPSTREAM_CONTRACT. A response without the header may be JSON. */
export function checkContentType(type: string | undefined): void {
  if (type !== undefined && !JSON_TYPE.test(type))
    throw contractError("The service's answer is not JSON: see its Content-Type.");
}

/** Decoded, and without a byte order mark. `encoding`, `type`: Content-Encoding and Content-Type. Throws UPSTREAM_CONTRACT. */
export function textOf(encoded: Buffer, encoding: string | undefined, type: string | undefined): string {
  const body = decodeBody(encoded, encoding, MAX_BODY_BYTES);
  const [first = "utf-8", ...others] = charsetsOf(body, declaredCharset(type));
  // Nearly every answer. This is faster than a decoder.
  if (first === "utf-8" && isUtf8(body)) return withoutMark(body.toString("utf8"));
  for (const charset of [first, ...others]) {
    const text = decodeStrictly(body, charset);
    if (text !== undefined) return text;
  }
  throw contractError("The service's answer is not valid UTF-8, and not in another charset that it declares.");
}

const withoutMark = (text: string) => (text.startsWith("\uFEFF") ? text.slice(1) : text);

export const tooLargeError = () => contractError(`The service's answer is larger than ${MAX_BODY_MB} MB, the limit.`);

/** Splits the base address into the origin to connect to and the prefix of every path, without a slash at its end. */
export function splitBaseUrl(url: string): { origin: string; prefix: string } {
  const { origin, pathname } = new URL(url);
  return { origin, prefix: pathname.replace(/\/+$/, "") };
}

function responseOf({ status, headers }: ResponseHead, text: string): ServiceResponse {
  return { status, retryAfter: headers.get("retry-after"), date: headers.get("date"), text };
}
