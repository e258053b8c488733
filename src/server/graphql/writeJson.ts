// Writes an answer in one piece as JSON.
import type { ServerResponse } from "node:http";
import type { ExecutionResult, GraphQLError } from "graphql";
import { withoutHttpHint, type HttpHint } from "../../errors.ts";
import { headerList, type ResponseHeaders } from "../securityHeaders.ts";
import type { MediaType } from "./accept.ts";

/**
 * Ends the response when this turn of the event loop has read the sockets, together with the other responses of the turn. A write
 * that wakes a client of the same machine takes longer than the rest of a small query; the next writes find the client awake.
 * `headers`: none of them may be one that the result sets.
 */
export function writeJson(
  response: ServerResponse,
  result: ExecutionResult,
  mediaType: MediaType,
  headers: ResponseHeaders,
): void {
  const head = headOf(result.errors, mediaType);
  const body = jsonOf(result);
  const own = { "content-type": `${mediaType}; charset=utf-8`, "content-length": String(Buffer.byteLength(body)) };
  const list = headerList(own, headers, head.headers);
  // Head and body together: a response whose head is sent, and that is not ended, is a stream, which a drain may cut.
  setImmediate(() => response.writeHead(head.status, list).end(body));
}

export function jsonOf(result: ExecutionResult): string {
  return JSON.stringify(result.errors ? { ...result, errors: result.errors.map(withoutHttpHint) } : result);
}

/** The highest status and the headers that the errors ask for: see HttpHint. */
export function headOf(errors: readonly GraphQLError[] | undefined, mediaType: MediaType) {
  if (!errors) return { status: 200, headers: {} };
  const hints = errors.flatMap(({ extensions }) => (extensions["http"] as HttpHint | undefined) ?? []);
  const statuses = hints.flatMap(({ status, spec }) => (spec && mediaType === "application/json" ? [] : status));
  return {
    status: Math.max(0, ...statuses) || 200,
    headers: Object.assign({}, ...hints.map(({ headers }) => headers)),
  };
}
