// GraphQL over HTTP and server-sent events: Yoga reads the request and writes the answer; the operation itself goes
// through the one pipeline, past Yoga's own engine.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createYoga, type GraphQLParams, type Plugin } from "graphql-yoga";
import type { ExecutionResult, GraphQLError } from "graphql";
import type { Grant } from "../../auth/grant.ts";
import { tryParseExact } from "../../format/exactJson.ts";
import { publicError, requestError, type HttpHint } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { acceptsEventStream } from "../contentNegotiation.ts";
import type { OperationPipeline, OperationResult } from "../../graphql/pipeline.ts";
import type { LargeBody, OperationRequest } from "../../graphql/operationParams.ts";
import { subscriptionNotAccepted } from "../../graphql/graphqlErrors.ts";
import { createRequestId } from "../../graphql/requestId.ts";

interface YogaContext {
  grant: Grant;
  /** Of a POST, whose body was read; null: they are in the address. */
  params: OperationRequest | null;
  largeBody: LargeBody | null;
  signal: AbortSignal;
}

export type YogaHandler = (request: IncomingMessage, response: ServerResponse, asking: YogaContext) => Promise<void>;

export interface YogaDeps {
  pipeline: OperationPipeline;
  log: Log;
}

export function createYogaHandler({ pipeline, log }: YogaDeps): YogaHandler {
  const yoga = createYoga<YogaContext>({
    graphqlEndpoint: "/graphql",
    // See graphiqlPage.ts.
    graphiql: false,
    landingPage: false,
    multipart: false,
    batching: false,
    cors: false,
    maskedErrors: false,
    // Checked before, and counted as the body comes in: see graphqlRoute.ts.
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    logging: false,
    plugins: [exactGetParameters(), throughPipeline(pipeline), publicProtocolErrors(log)],
  });
  return async (request, response, asking) => {
    await yoga(asking.params ? withoutBody(request) : request, response, asking);
  };
}

/** Yoga would judge a body and its type before the pipeline does, and otherwise: it gets some that are right. */
function withoutBody(request: IncomingMessage): IncomingMessage {
  request.headers["content-type"] = "application/json";
  return Object.assign(request, { body: { query: "" } });
}

function throughPipeline(pipeline: OperationPipeline): Plugin<YogaContext> {
  return {
    onParams({ request, setParamsHandler }) {
      setParamsHandler(async ({ params, context }) => {
        const { grant, params: posted, largeBody, signal } = context as unknown as YogaContext;
        const prepare = () => pipeline.prepare(posted ?? params, grant, largeBody);
        return answer(prepare, request, signal);
      });
    },
  };
}

/** By GET too, ids beyond 2^53 that a client wrote as numbers stay exact. */
function exactGetParameters(): Plugin<YogaContext> {
  return {
    onRequestParse({ request, url, setRequestParser }) {
      if (request.method !== "GET") return;
      setRequestParser(() => {
        const given = Object.fromEntries(url.searchParams);
        const { documentId } = given;
        // An empty one is none (GraphQL over HTTP, "GET").
        const operationName = given["operationName"] || undefined;
        const [variables, extensions] = [given["variables"], given["extensions"]].map((text) => {
          const parsed = text === undefined ? undefined : tryParseExact(text);
          if (text !== undefined && parsed === undefined) throw notJson();
          return parsed;
        });
        // A trusted document is named and not sent, and Yoga asks for a text.
        const isNamed = documentId !== undefined || extensions !== undefined;
        const query = given["query"] ?? (isNamed ? "" : undefined);
        // Yoga refuses a parameter that it does not know.
        const named = documentId === undefined ? extensions : { persistedQuery: documentId };
        return { query, operationName, variables, extensions: named } as GraphQLParams;
      });
    },
  };
}

async function answer(
  prepare: () => ReturnType<OperationPipeline["prepare"]>,
  request: Request,
  signal: AbortSignal,
): Promise<OperationResult> {
  const operation = prepare();
  if ("errors" in operation) return operation;
  if (operation.kind === "mutation" && request.method === "GET") return { errors: [mutationByGet()] };
  if (operation.kind === "subscription" && !acceptsEventStream(request.headers.get("accept")))
    return { errors: [subscriptionNotAccepted()] };
  const result = await operation.run(() => signal);
  if (Symbol.asyncIterator in result) endWith(signal, result);
  return result;
}

/** Yoga itself does not always hear that a client has left. */
function endWith(signal: AbortSignal, results: AsyncIterableIterator<ExecutionResult>): void {
  const end = () => void results.return?.();
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
}

const notJson = () =>
  requestError("BAD_USER_INPUT", "variables and extensions must be JSON.", { status: 400, spec: false });

const mutationByGet = () =>
  requestError("BAD_USER_INPUT", "A mutation is asked by POST.", {
    status: 405,
    spec: false,
    headers: { allow: "POST" },
  });

/** Errors that Yoga itself found in a request get a code and a request ID like all others. */
function publicProtocolErrors(log: Log): Plugin<YogaContext> {
  const opened = (error: GraphQLError) => {
    if (error.extensions["requestId"] !== undefined) return error;
    const { http } = error.extensions;
    const known = http === undefined ? error : requestError("BAD_USER_INPUT", error.message, http as HttpHint, error);
    return publicError(known, { requestId: createRequestId(), log });
  };
  return {
    onResultProcess({ result, setResult }) {
      if (Symbol.asyncIterator in result || Array.isArray(result)) return;
      const { errors } = result as ExecutionResult;
      if (errors) setResult({ ...result, errors: errors.map(opened) });
    },
  };
}
