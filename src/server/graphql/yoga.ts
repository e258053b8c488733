// GraphQL over HTTP by Yoga: GET requests, and POST requests with unusual Accept headers. Yoga reads the request and writes the
// response; the operation runs in the operation pipeline and not in Yoga's own engine.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createYoga, type Plugin } from "graphql-yoga";
import type { ExecutionResult, GraphQLError } from "graphql";
import type { Grant } from "../../auth/grant.ts";
import { publicError, requestError, type HttpHint } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { acceptsEventStream, partsTypeOf } from "./accept.ts";
import type { OperationPipeline, OperationResult } from "../../graphql/operation.ts";
import type { OperationRequest } from "../../graphql/operationParams.ts";
import { mutationByGet, subscriptionNotAccepted } from "../../graphql/graphqlErrors.ts";
import { requestIdOrNew } from "../../util/requestId.ts";
import { sendEventStreams } from "./yogaEvents.ts";

export interface YogaContext {
  grant: Grant;
  params: OperationRequest;
  /** The header of the request. */
  lastEventId: string | null;
  signal: AbortSignal;
}

export type YogaHandler = (request: IncomingMessage, response: ServerResponse, context: YogaContext) => Promise<void>;

export interface YogaDeps {
  pipeline: OperationPipeline;
  log: Log;
}

export function createYogaHandler({ pipeline, log }: YogaDeps): YogaHandler {
  const yoga = createYoga<YogaContext>({
    graphqlEndpoint: "/graphql",
    // graphiqlPage.ts serves it.
    graphiql: false,
    landingPage: false,
    multipart: false,
    batching: false,
    cors: false,
    maskedErrors: false,
    // readBody.ts has limited it.
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    logging: false,
    plugins: [skipGetParameters(), runInPipeline(pipeline), publishProtocolErrors(log), sendEventStreams()],
  });
  return async (request, response, context) => {
    await yoga(request.method === "POST" ? withoutBody(request) : request, response, context);
  };
}

/** Yoga's own checks of body and content type differ from the pipeline's. It gets a valid body that passes them. */
function withoutBody(request: IncomingMessage): IncomingMessage {
  request.headers["content-type"] = "application/json";
  return Object.assign(request, { body: { query: "" } });
}

function runInPipeline(pipeline: OperationPipeline): Plugin<YogaContext> {
  return {
    onParams({ request, setParamsHandler }) {
      setParamsHandler(async ({ context }) => execute(pipeline, request, context as unknown as YogaContext));
    },
  };
}

/** The parameters of a GET were read before, too (getParameters.ts). Yoga gets some that pass its own checks. */
function skipGetParameters(): Plugin<YogaContext> {
  return {
    onRequestParse({ request, setRequestParser }) {
      if (request.method === "GET") setRequestParser(() => ({ query: "" }));
    },
  };
}

async function execute(
  pipeline: OperationPipeline,
  request: Request,
  { params, grant, lastEventId, signal }: YogaContext,
): Promise<OperationResult> {
  const operation = pipeline.prepare(params, grant);
  if ("errors" in operation) return operation;
  if (operation.kind === "mutation" && request.method === "GET") return { errors: [mutationByGet()] };
  if (operation.kind === "subscription" && !acceptsEventStream(request.headers.get("accept")))
    return { errors: [subscriptionNotAccepted()] };
  const acceptsParts = partsTypeOf(request.headers.get("accept")) !== null;
  const result = await operation.run(() => signal, undefined, { lastEventId }, acceptsParts);
  if (Symbol.asyncIterator in result) endOnAbort(signal, result);
  return result;
}

/** Yoga does not always notice that a client has disconnected. */
function endOnAbort(signal: AbortSignal, results: AsyncIterableIterator<ExecutionResult>): void {
  const end = () => void results.return?.();
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
}

/** Gives errors that Yoga found in a request a code and a request ID, like all others. */
function publishProtocolErrors(log: Log): Plugin<YogaContext> {
  const publish = (error: GraphQLError) => {
    if (error.extensions["requestId"] !== undefined) return error;
    const { http } = error.extensions;
    const known = http === undefined ? error : requestError("BAD_USER_INPUT", error.message, http as HttpHint, error);
    return publicError(known, { requestId: requestIdOrNew(), log });
  };
  return {
    onResultProcess({ result, setResult }) {
      if (Symbol.asyncIterator in result || Array.isArray(result)) return;
      const { errors } = result as ExecutionResult;
      if (errors) setResult({ ...result, errors: errors.map(publish) });
    },
  };
}
