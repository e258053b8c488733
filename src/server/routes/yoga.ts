// GraphQL over HTTP by Yoga: GET requests, and POST requests with unusual Accept headers. Yoga reads the request and writes the
// response; the operation runs in the operation pipeline and not in Yoga's own engine.
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

export interface YogaContext {
  grant: Grant;
  /** Of a POST, whose body was read before. Null: they are in the URL. */
  params: OperationRequest | null;
  largeBody: LargeBody | null;
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
    plugins: [readGetParameters(), runInPipeline(pipeline), publishProtocolErrors(log)],
  });
  return async (request, response, context) => {
    await yoga(context.params ? withoutBody(request) : request, response, context);
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
      setParamsHandler(async ({ params, context }) => {
        const { grant, params: posted, largeBody, signal } = context as unknown as YogaContext;
        return execute(() => pipeline.prepare(posted ?? params, grant, largeBody), request, signal);
      });
    },
  };
}

/** Reads the parameters of a GET: IDs beyond 2^53 that a client wrote as numbers stay exact, as in a POST. */
function readGetParameters(): Plugin<YogaContext> {
  return {
    onRequestParse({ request, url, setRequestParser }) {
      if (request.method !== "GET") return;
      setRequestParser(() => {
        const values = Object.fromEntries(url.searchParams);
        const documentId = values["documentId"] ?? values["doc_id"];
        // An empty text means none (GraphQL over HTTP, "GET").
        const operationName = values["operationName"] || undefined;
        const [variables, extensions] = [values["variables"], values["extensions"]].map((text) => {
          const parsed = text === undefined ? undefined : tryParseExact(text);
          if (text !== undefined && parsed === undefined) throw notJson();
          return parsed;
        });
        // A request for a trusted document has no text, but Yoga requires one.
        const namesDocument = documentId !== undefined || extensions !== undefined;
        const query = values["query"] ?? (namesDocument ? "" : undefined);
        // Yoga refuses the unknown parameter documentId.
        const sentExtensions =
          documentId === undefined ? extensions : { ...(extensions as object | undefined), persistedQuery: documentId };
        return { query, operationName, variables, extensions: sentExtensions } as GraphQLParams;
      });
    },
  };
}

async function execute(
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
  if (Symbol.asyncIterator in result) endOnAbort(signal, result);
  return result;
}

/** Yoga does not always notice that a client has disconnected. */
function endOnAbort(signal: AbortSignal, results: AsyncIterableIterator<ExecutionResult>): void {
  const end = () => void results.return?.();
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
}

const notJson = () =>
  requestError("BAD_USER_INPUT", "variables and extensions must be valid JSON.", { status: 400, spec: false });

const mutationByGet = () =>
  requestError("BAD_USER_INPUT", "Mutations must be sent by POST.", {
    status: 405,
    spec: false,
    headers: { allow: "POST" },
  });

/** Gives errors that Yoga found in a request a code and a request ID, like all others. */
function publishProtocolErrors(log: Log): Plugin<YogaContext> {
  const publish = (error: GraphQLError) => {
    if (error.extensions["requestId"] !== undefined) return error;
    const { http } = error.extensions;
    const known = http === undefined ? error : requestError("BAD_USER_INPUT", error.message, http as HttpHint, error);
    return publicError(known, { requestId: createRequestId(), log });
  };
  return {
    onResultProcess({ result, setResult }) {
      if (Symbol.asyncIterator in result || Array.isArray(result)) return;
      const { errors } = result as ExecutionResult;
      if (errors) setResult({ ...result, errors: errors.map(publish) });
    },
  };
}
