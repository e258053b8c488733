// Responses of the server other than the answers to operations: texts, JSON, refusals.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { CodedError, publicError, type ErrorCode } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { endLingering } from "./body/readBody.ts";
import type { ResponseHeaders } from "./securityHeaders.ts";
import { requestIdLines, requestIdOrNew } from "../util/requestId.ts";

export function sendText(response: ServerResponse, status: number, text: string, headers = {}): void {
  send(response, status, text, { "content-type": "text/plain; charset=utf-8", ...headers });
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  send(response, status, JSON.stringify(body), { "content-type": "application/json", ...headers });
}

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string>): void {
  response.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers }).end(body);
}

/** Sends an empty JSON object, discards the rest of the request's body, and closes the connection. */
export function sendEmptyRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: ResponseHeaders,
): void {
  const own = { "content-type": "application/json", "content-length": 2, connection: "close" };
  endLingering(request, response.writeHead(status, { ...headers, ...own }), "{}");
}

export interface Refusal {
  status: number;
  code: ErrorCode;
  message: string;
  /** Seconds, with RATE_LIMITED. */
  retryAfter?: number;
  headers?: Record<string, string>;
}

const RESPONSE_TYPE = "application/graphql-response+json";

/**
 * Sends a GraphQL error for a request that did not become an operation, and discards the rest of its body. Clients that accept
 * the type of GraphQL responses read the errors of other statuses than 200 only in that type (GraphQL over HTTP).
 */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message, retryAfter, headers }: Refusal,
  log: Logger,
): void {
  const error = new CodedError(code, message, retryAfter === undefined ? {} : { retryAfter });
  const { extensions } = publicError(error, { requestId: requestIdOrNew(), log });
  const body = JSON.stringify({ errors: [{ message, extensions }] });
  const type = request.headers.accept?.includes(RESPONSE_TYPE) ? RESPONSE_TYPE : "application/json";
  const own = { "content-type": type, "content-length": Buffer.byteLength(body) };
  endLingering(request, response.writeHead(status, { ...own, ...headers }), body);
}

/**
 * Refuses a stream, because the gateway is `phase`. An EventSource, which asks by GET, comes back after a broken connection, but never
 * after a 503.
 */
export function refuseStream(
  { method }: IncomingMessage,
  response: ServerResponse,
  phase: "starting" | "stopping",
  headers: ResponseHeaders,
): void {
  if (method === "GET") response.destroy();
  else sendText(response, 503, `The gateway is ${phase}.\n`, { ...headers, "retry-after": "1" });
}

/** Answers an upgrade request, with the ID of the current request. Destroys the socket afterwards: its peer may never close its own half. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  // The peer may have left already.
  socket.on("error", () => undefined);
  const head = [`HTTP/1.1 ${status}`, "connection: close", "content-length: 0", ...requestIdLines()];
  socket.end(`${head.join("\r\n")}\r\n\r\n`, () => socket.destroy());
}

/** Whether If-None-Match names the entity tag, strong or weak (RFC 9110, 8.8.3 and 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return (
    ifNoneMatch !== undefined && ifNoneMatch.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()))
  );
}
