// The answers that this server gives by itself, without Yoga.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { CodedError, publicError, type ErrorCode } from "../errors.ts";
import type { Log } from "../log.ts";
import { endLingering } from "./body/readBody.ts";
import type { ResponseHeaders } from "./securityHeaders.ts";
import { createRequestId } from "../graphql/requestId.ts";

/** Before the upgrade. A peer that never closes its half must not keep the socket, and one that has left is told nothing. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on("error", () => undefined);
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy());
}

export function sendText(response: ServerResponse, status: number, text: string, headers = {}): void {
  answer(response, status, text, { "content-type": "text/plain; charset=utf-8", ...headers });
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  answer(response, status, JSON.stringify(body), { "content-type": "application/json", ...headers });
}

/** With an empty object; what is left of the body is let through, and the connection ends. */
export function sendEmptyRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  head: ResponseHeaders,
): void {
  const own = { "content-type": "application/json", "content-length": 2, connection: "close" };
  endLingering(request, response.writeHead(status, { ...head, ...own }), "{}");
}

function answer(response: ServerResponse, status: number, body: string, headers: Record<string, string>): void {
  response.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers }).end(body);
}

export interface Refusal {
  status: number;
  code: ErrorCode;
  message: string;
  /** Seconds, with RATE_LIMITED. */
  retryAfter?: number;
  headers?: Record<string, string>;
}

/** A GraphQL error for a request that never became an operation; what is left of its body is let through. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message, retryAfter, headers }: Refusal,
  log: Log,
): void {
  const error = new CodedError(code, message, retryAfter === undefined ? {} : { retryAfter });
  const { extensions } = publicError(error, { requestId: createRequestId(), log });
  const body = JSON.stringify({ errors: [{ message, extensions }] });
  const type = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  endLingering(request, response.writeHead(status, { ...type, ...headers }), body);
}
