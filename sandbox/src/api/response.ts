// HTTP responses as data, and how they are sent: unchanged, or changed by a fault. Every error has the body {code, msg},
// which service.md 7 does not show.
import { stringifyJson } from "../bigintJson.ts";
import type { ServerResponse } from "node:http";
import type { ResponseFault } from "../control/faults.ts";

export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/** Thrown for a bad request; becomes a response with `status` and the body `{code, msg}`. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = "HttpError";
    this.status = status;
    this.headers = headers;
  }
}

export function jsonResponse(status: number, value: unknown, headers: Record<string, string> = {}): ApiResponse {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: stringifyJson(value),
  };
}

export const textResponse = (status: number, body: string): ApiResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body,
});

/** 200 without a body: the answer to a created task (service.md 4.3). */
export const emptyResponse = (): ApiResponse => ({ status: 200, headers: {}, body: "" });

export function errorResponse(status: number, msg: string, headers: Record<string, string> = {}): ApiResponse {
  return jsonResponse(status, { code: status * 100, msg }, headers);
}

const HTML = "<!doctype html><html><head><title>Welcome</title></head><body><h1>It works</h1></body></html>";

/** Whether the request takes effect in spite of the fault. */
export function isProcessed(fault: ResponseFault | null): boolean {
  return fault === null || fault.kind === "truncate" || fault.processed;
}

/**
 * Sends the answer, changed by the fault.
 *
 * @param answer null if the request was not processed.
 * @returns the status that was sent, or null if none was.
 */
export function sendResponse(
  response: ServerResponse,
  answer: ApiResponse | null,
  fault: ResponseFault | null,
): number | null {
  if (fault?.kind === "hang") return null;
  if (fault?.kind === "reset") {
    response.socket?.resetAndDestroy();
    return null;
  }
  const original = answer ?? jsonResponse(500, { code: 50_000, msg: "not processed" });
  if (fault?.kind === "truncate") return sendTruncated(response, original, fault.bytes);
  return writeResponse(response, fault ? applyFault(original, fault) : original);
}

function applyFault(
  original: ApiResponse,
  fault: Exclude<ResponseFault, { kind: "hang" | "reset" | "truncate" }>,
): ApiResponse {
  if (fault.kind === "replace") return { status: fault.status, headers: fault.headers, body: fault.body };
  if (fault.kind === "malformed") return malformedResponse(original, fault.as);
  const headers = {
    ...fault.headers,
    ...(fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) }),
    ...(fault.location === undefined ? {} : { location: fault.location }),
  };
  if (fault.body !== undefined) return { status: fault.status, headers, body: fault.body };
  return jsonResponse(fault.status, { code: fault.status * 100, msg: "fault on request" }, headers);
}

function malformedResponse(
  original: ApiResponse,
  as: Extract<ResponseFault, { kind: "malformed" }>["as"],
): ApiResponse {
  if (as === "null") return jsonResponse(200, null);
  if (as === "envelope") return jsonResponse(200, { code: 10_001, msg: "system busy" });
  if (as === "html") return { status: 200, headers: { "content-type": "text/html" }, body: HTML };
  if (as === "contentType") return { ...original, headers: { ...original.headers, "content-type": "text/plain" } };
  return { status: 200, headers: { "content-type": "application/json" }, body: '{"items": [oops' };
}

function writeResponse(response: ServerResponse, answer: ApiResponse): number {
  const body = Buffer.from(answer.body);
  const hasNoBody = answer.status === 204 || answer.status === 304;
  response.writeHead(answer.status, { ...answer.headers, ...(hasNoBody ? {} : { "content-length": body.length }) });
  // Node omits the body of the answer to a HEAD request.
  response.end(hasNoBody ? undefined : body);
  return answer.status;
}

function sendTruncated(response: ServerResponse, answer: ApiResponse, bytes: number | undefined): number {
  const body = Buffer.from(answer.body);
  // Announces an empty body as longer than it is, so that something is missing.
  response.writeHead(answer.status, { ...answer.headers, "content-length": Math.max(2, body.length) });
  response.flushHeaders();
  const part = body.subarray(0, Math.min(bytes ?? Math.floor(body.length / 2), Math.max(0, body.length - 1)));
  response.write(part, () => response.destroy());
  return answer.status;
}
