// The fast path of a POST of JSON: from node:http to the operation pipeline and back, without Yoga's Request and Response.
// Streams have their own (serverSentEvents.ts), and a GET with a trusted document, too (httpCache.ts). Yoga handles other GETs and
// unusual Accept headers. Both ways give the same answers (test/e2e/straight.test.ts).
import type { ServerResponse } from "node:http";
import type { ExecutionResult, GraphQLError } from "graphql";
import type { Grant } from "../../auth/grant.ts";
import { withoutHttpHint, type HttpHint } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { andThen, type MaybePromise } from "../../util/maybePromise.ts";
import { headerList, type ResponseHeaders } from "../securityHeaders.ts";
import type { ClientSignal } from "../../graphql/clientSignal.ts";
import type { OperationPipeline } from "../../graphql/operation.ts";
import type { OperationRequest } from "../../graphql/operationParams.ts";
import { subscriptionNotAccepted } from "../../graphql/graphqlErrors.ts";
import { createErrorPublisher } from "../../graphql/publishError.ts";
import type { MediaType } from "./accept.ts";

export type JsonHandler = (
  response: ServerResponse,
  params: OperationRequest,
  context: {
    grant: Grant;
    clientSignal: ClientSignal;
    mediaType: MediaType;
    headers: ResponseHeaders;
  },
) => MaybePromise<void>;

export function createJsonHandler({ pipeline, log }: { pipeline: OperationPipeline; log: Log }): JsonHandler {
  const subscriptionRefused = (): ExecutionResult => ({
    errors: [createErrorPublisher(log)(subscriptionNotAccepted())],
  });
  return (response, params, { grant, clientSignal, mediaType, headers }) => {
    const operation = pipeline.prepare(params, grant);
    if ("errors" in operation) return sendResult(response, operation, mediaType, headers);
    if (operation.kind === "subscription") return sendResult(response, subscriptionRefused(), mediaType, headers);
    return andThen(operation.run(clientSignal), (result) => {
      sendResult(response, Symbol.asyncIterator in result ? subscriptionRefused() : result, mediaType, headers);
    });
  };
}

/**
 * Ends the response when this turn of the event loop has read the sockets, together with the other responses of the turn. A write
 * that wakes a client of the same machine takes longer than the rest of a small query; the next writes find the client awake.
 * `headers`: none of them may be one that the result sets.
 */
export function sendResult(
  response: ServerResponse,
  result: ExecutionResult,
  mediaType: MediaType,
  headers: ResponseHeaders,
): void {
  const head = headOf(result.errors, mediaType);
  const body = JSON.stringify(result.errors ? { ...result, errors: result.errors.map(withoutHttpHint) } : result);
  const own = { "content-type": `${mediaType}; charset=utf-8`, "content-length": String(Buffer.byteLength(body)) };
  response.writeHead(head.status, headerList(own, headers, head.headers));
  setImmediate(() => response.end(body));
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
