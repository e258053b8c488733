// Answers as data, and the refusals: every error has the body {code, msg}. service.md 7 shows none of this.
import { stringifyJson } from "../bigintJson.ts";
import type { ServerResponse } from "node:http";
import type { ResponseFault } from "../control/faults.ts";

export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/** Thrown where a request is found wrong; becomes the answer `status` with `{code, msg}`. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = "Refusal";
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

/** 200 without a body: what a created task is answered with (service.md 4.3). */
export const textResponse = (status: number, body: string): ApiResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body,
});

export const emptyResponse = (): ApiResponse => ({ status: 200, headers: {}, body: "" });

export function errorResponse(status: number, msg: string, headers: Record<string, string> = {}): ApiResponse {
  return jsonResponse(status, { code: status * 100, msg }, headers);
}

const HTML = "<!doctype html><html><head><title>Welcome</title></head><body><h1>It works</h1></body></html>";

/** Whether the request is to have its effect before the fault. */
export function isProcessed(outcome: ResponseFault | null): boolean {
  return outcome === null || outcome.kind === "truncate" || outcome.processed;
}

/**
 * Sends the answer, or what the fault makes of it. `answer` is null when the request was not processed.
 * @returns the status that was sent; null when none was.
 */
export function sendResponse(
  response: ServerResponse,
  answer: ApiResponse | null,
  outcome: ResponseFault | null,
): number | null {
  if (outcome?.kind === "hang") return null;
  if (outcome?.kind === "reset") {
    response.socket?.resetAndDestroy();
    return null;
  }
  const usual = answer ?? jsonResponse(500, { code: 50_000, msg: "not processed" });
  if (outcome?.kind === "truncate") return sendTruncated(response, usual, outcome.bytes);
  return writeResponse(response, outcome ? applyFault(usual, outcome) : usual);
}

function applyFault(
  usual: ApiResponse,
  outcome: Exclude<ResponseFault, { kind: "hang" | "reset" | "truncate" }>,
): ApiResponse {
  if (outcome.kind === "replace") return { status: outcome.status, headers: outcome.headers, body: outcome.body };
  if (outcome.kind === "malformed") return malformedResponse(usual, outcome.as);
  const given = {
    ...outcome.headers,
    ...(outcome.retryAfter === undefined ? {} : { "retry-after": String(outcome.retryAfter) }),
    ...(outcome.location === undefined ? {} : { location: outcome.location }),
  };
  if (outcome.body !== undefined) return { status: outcome.status, headers: given, body: outcome.body };
  return jsonResponse(outcome.status, { code: outcome.status * 100, msg: "fault on request" }, given);
}

function malformedResponse(usual: ApiResponse, as: Extract<ResponseFault, { kind: "malformed" }>["as"]): ApiResponse {
  if (as === "null") return jsonResponse(200, null);
  if (as === "envelope") return jsonResponse(200, { code: 10_001, msg: "system busy" });
  if (as === "html") return { status: 200, headers: { "content-type": "text/html" }, body: HTML };
  if (as === "contentType") return { ...usual, headers: { ...usual.headers, "content-type": "text/plain" } };
  return { status: 200, headers: { "content-type": "application/json" }, body: '{"items": [oops' };
}

function writeResponse(response: ServerResponse, answer: ApiResponse): number {
  const body = Buffer.from(answer.body);
  const isBare = answer.status === 204 || answer.status === 304;
  response.writeHead(answer.status, { ...answer.headers, ...(isBare ? {} : { "content-length": body.length }) });
  // Node leaves the body of a HEAD request away by itself.
  response.end(isBare ? undefined : body);
  return answer.status;
}

function sendTruncated(response: ServerResponse, answer: ApiResponse, bytes: number | undefined): number {
  const body = Buffer.from(answer.body);
  // An empty body is announced as longer than it is: otherwise nothing would be missing.
  response.writeHead(answer.status, { ...answer.headers, "content-length": Math.max(2, body.length) });
  response.flushHeaders();
  const part = body.subarray(0, Math.min(bytes ?? Math.floor(body.length / 2), Math.max(0, body.length - 1)));
  response.write(part, () => response.destroy());
  return answer.status;
}
