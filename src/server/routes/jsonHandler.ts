// The straight way of a POST of JSON: from node:http to the one pipeline and back, without Yoga's Request and Response.
// Server-sent events are in serverSentEvents.ts; what is unusual (wildcards, GET) is Yoga's. Both ways answer alike
// (test/e2e/straight.test.ts).
import type { ServerResponse } from "node:http";
import type { ExecutionResult, GraphQLError } from "graphql";
import type { Grant } from "../../auth/grant.ts";
import { withoutHttpHint, type HttpHint } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { andThen, type MaybePromise } from "../../util/maybePromise.ts";
import { headerList, type ResponseHeaders } from "../securityHeaders.ts";
import type { ClientSignal } from "../../graphql/clientSignal.ts";
import type { OperationPipeline } from "../../graphql/pipeline.ts";
import type { LargeBody, OperationRequest } from "../../graphql/operationParams.ts";
import { subscriptionNotAccepted } from "../../graphql/graphqlErrors.ts";
import { createErrorPublisher } from "../../graphql/requestId.ts";

export type JsonHandler = (
  response: ServerResponse,
  params: OperationRequest,
  asking: { grant: Grant; largeBody: LargeBody | null; leaving: ClientSignal; type: MediaType; head: ResponseHeaders },
) => MaybePromise<void>;

const mediaTypes = ["application/json", "application/graphql-response+json"] as const;
export type MediaType = (typeof mediaTypes)[number];

/** The type of the answer; null where that takes more than to see the first of a few plain names. */
export function jsonMediaType(accept: string): MediaType | null {
  if (accept === "*/*" || accept === "application/json") return "application/json";
  const named = accept.split(",").map((name) => name.trim());
  const isPlain = named.every((name) => mediaTypes.some((type) => type === name));
  return isPlain ? (mediaTypes.find((type) => type === named[0]) ?? null) : null;
}

export function createJsonHandler({ pipeline, log }: { pipeline: OperationPipeline; log: Log }): JsonHandler {
  const notTaken = (): ExecutionResult => ({ errors: [createErrorPublisher(log)(subscriptionNotAccepted())] });
  return (response, params, { grant, largeBody, leaving, type, head }) => {
    const operation = pipeline.prepare(params, grant, largeBody);
    if ("errors" in operation) return answer(response, operation, type, head);
    if (operation.kind === "subscription") return answer(response, notTaken(), type, head);
    return andThen(operation.run(leaving), (result) => {
      answer(response, Symbol.asyncIterator in result ? notTaken() : result, type, head);
    });
  };
}

function answer(response: ServerResponse, result: ExecutionResult, type: MediaType, head: ResponseHeaders): void {
  const { status, headers } = headOf(result.errors, type);
  const shown = result.errors ? { ...result, errors: result.errors.map(withoutHttpHint) } : result;
  const body = JSON.stringify(shown);
  const own = { "content-type": `${type}; charset=utf-8`, "content-length": String(Buffer.byteLength(body)) };
  response.writeHead(status, headerList(own, head, headers)).end(body);
}

/** The highest status that an error asks for: see HttpHint. */
export function headOf(errors: readonly GraphQLError[] | undefined, type: MediaType) {
  if (!errors) return { status: 200, headers: {} };
  const hints = errors.flatMap(({ extensions }) => (extensions["http"] as HttpHint | undefined) ?? []);
  const statuses = hints.flatMap(({ status, spec }) => (spec && type === "application/json" ? [] : status));
  return {
    status: Math.max(0, ...statuses) || 200,
    headers: Object.assign({}, ...hints.map(({ headers }) => headers)),
  };
}
