// /graphql over HTTP, before Yoga: who asks, and whether this is a request at all. What is refused here was neither parsed
// nor read beyond its limit.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Grant } from "../../auth/grant.ts";
import type { AdmitRequest } from "../../auth/credentialCache.ts";
import type { FailureLimit } from "../../auth/failureLimit.ts";
import type { Viewer } from "../../auth/scopes.ts";
import { CodedError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Counters } from "../counters.ts";
import type { TimeSlices } from "../../util/timeSlices.ts";
import { acceptsSupportedType, sortByWeight, acceptsEventStream } from "../contentNegotiation.ts";
import { addressOf } from "../connections/clientAddress.ts";
import { sendRefusal, type Refusal } from "../httpResponse.ts";
import { readBody } from "../body/readBody.ts";
import type { BodyBudget } from "../body/bodyBudget.ts";
import { countOperations } from "../operationCounter.ts";
import { createGraphiqlPage } from "./graphiqlPage.ts";
import { setHeaders, type ResponseHeaders } from "../securityHeaders.ts";
import { releaseLargeBodies } from "../body/largeBodyQueue.ts";
import { clientSignalOf } from "../../graphql/clientSignal.ts";
import { BODY_BUDGET } from "../../config/limits.ts";
import type { OperationPipeline } from "../../graphql/pipeline.ts";
import type { LargeBody, OperationRequest } from "../../graphql/operationParams.ts";
import { createParseBody } from "../body/parseBody.ts";
import { createSseHandler, takesEventsAlone } from "./serverSentEvents.ts";
import { createJsonHandler, jsonMediaType } from "./jsonHandler.ts";
import { addressKey, viewerKey, type ConnectionQuota } from "../connections/connectionQuota.ts";
import { authorizationOf } from "../requestHead.ts";
import { createLazyYoga } from "./lazyYoga.ts";

export interface GraphqlRouteDeps {
  pipeline: OperationPipeline;
  /** Whether a POST of JSON goes past Yoga. */
  fastPath: boolean;
  admit: AdmitRequest;
  failureLimit: FailureLimit;
  connectionQuota: ConnectionQuota;
  bodyBudget: BodyBudget;
  /** Whether viewers are told apart: an open gateway has one for everybody. */
  knowsViewers: boolean;
  /** How many proxies in front write X-Forwarded-For. */
  trustedProxies: number;
  counters: Pick<Counters, "operations">;
  slices: TimeSlices;
  /** Whether GraphiQL is served to browsers. */
  graphiql: boolean;
  log: Log;
}

const MIB = 1024 * 1024;
const bodyLimit = ({ scopes }: Viewer) => (scopes.has("tasks:create") ? 16 * MIB : MIB);

const unauthenticated: Refusal = {
  status: 401,
  code: "UNAUTHENTICATED",
  message: "Credentials are needed: Authorization: Bearer <key>.",
  headers: { "www-authenticate": "Bearer", connection: "close" },
};
const wrongMethod: Refusal = {
  status: 405,
  code: "BAD_USER_INPUT",
  message: "GraphQL is asked by POST, or by GET for queries and subscriptions.",
  headers: { allow: "GET, POST" },
};
const noPreflight: Refusal = {
  status: 403,
  code: "FORBIDDEN",
  message: "A GET needs the header x-switchboard-preflight, or Authorization: other sites cannot send them unasked.",
};
const wrongType: Refusal = {
  status: 415,
  code: "BAD_USER_INPUT",
  message: "The body must be application/json in UTF-8, not encoded.",
  headers: { connection: "close" },
};
const notAcceptable: Refusal = {
  status: 406,
  code: "BAD_USER_INPUT",
  message:
    "The answer is application/json or application/graphql-response+json, and text/event-stream where asked for.",
};
const tooLarge: Refusal = {
  status: 413,
  code: "QUERY_TOO_COMPLEX",
  message: "The body is over the limit.",
  headers: { connection: "close" },
};
const tooManyStreams: Refusal = {
  status: 429,
  code: "RATE_LIMITED",
  message: "There are too many streams.",
  retryAfter: 1,
  headers: { connection: "close" },
};
const tooManyBodies: Refusal = {
  status: 429,
  code: "RATE_LIMITED",
  message: `Bodies of requests under way may have ${BODY_BUDGET.ofCaller / MIB} MiB together, of all callers ${BODY_BUDGET.total / MIB} MiB.`,
  retryAfter: 1,
  headers: { connection: "close" },
};

export function createGraphqlRoute(deps: GraphqlRouteDeps) {
  const {
    fastPath,
    admit,
    failureLimit: refusals,
    connectionQuota: places,
    bodyBudget: bodies,
    knowsViewers,
    trustedProxies,
    graphiql,
    counters: meters,
    slices,
    log,
  } = deps;
  const pipeline = releaseLargeBodies(countOperations(deps.pipeline, meters.operations, "http"));
  const parseBody = createParseBody(slices);
  const yoga = createLazyYoga({ pipeline, log });
  const page = graphiql ? createGraphiqlPage() : null;
  const straight = fastPath ? createJsonHandler({ pipeline, log }) : null;
  const sse = fastPath ? createSseHandler({ pipeline }) : null;
  return async (request: IncomingMessage, response: ServerResponse, head: ResponseHeaders): Promise<void> => {
    const refuse = (refusal: Refusal) => {
      setHeaders(response, head);
      const excess = viewer && refusals.record(viewer.name);
      sendRefusal(request, response, excess ? tooMuch(excess) : refusal, log);
    };
    // For Yoga, too.
    const accept = (request.headers.accept = sortByWeight(request.headers.accept));
    const leaving = clientSignalOf(response);
    const address = addressOf(request, trustedProxies);
    const caller = ({ name }: Viewer) => (knowsViewers ? viewerKey(name) : addressKey(address));
    const admitted = admit(authorizationOf(request), address, request.socket);
    const grant = admitted instanceof Promise ? await admitted.catch(notJudged) : admitted;
    // Who left while a token was looked at waits for nothing, and nobody would hear of it again.
    if (response.destroyed) return;
    if (grant && "status" in grant) {
      setHeaders(response, head);
      return sendRefusal(request, response, grant, log);
    }
    const viewer = grant?.viewer() ?? null;
    if (viewer && acceptsEventStream(accept)) {
      // Streams of events and sockets are the same to a caller, and are counted together.
      const leave = places.acquire(caller(viewer));
      if (!leave) return refuse(tooManyStreams);
      response.once("close", leave);
    }
    const byYoga = (asking: { grant: Grant; params: OperationRequest | null; largeBody: LargeBody | null }) => {
      setHeaders(response, head);
      return yoga(request, response, { ...asking, signal: leaving() });
    };

    if (request.method === "GET") {
      // GraphiQL is a page without data: it needs no credentials to be shown.
      if (page && accept.includes("text/html")) return page(request, response, head);
      if (!grant || !viewer) return refuse(unauthenticated);
      if (!hasPreflight(request)) return refuse(noPreflight);
      if (request.headers["content-type"] !== undefined && !isPlainJson(request)) return refuse(wrongType);
      if (!acceptsSupportedType(accept)) return refuse(notAcceptable);
      return byYoga({ grant, params: null, largeBody: null });
    }
    if (request.method !== "POST") return refuse(wrongMethod);
    if (!grant || !viewer) return refuse(unauthenticated);
    if (!isPlainJson(request)) return refuse(wrongType);
    const type = jsonMediaType(accept);
    if (!type && !acceptsSupportedType(accept)) return refuse(notAcceptable);
    const body = await readBody(request, bodyLimit(viewer), () => bodies.open(caller(viewer), response));
    if (typeof body === "string") return refuse(body === "too large" ? tooLarge : tooManyBodies);
    const parsing = parseBody(body, { viewer, caller: caller(viewer), response });
    const parsed = parsing instanceof Promise ? await parsing : parsing;
    if ("refusal" in parsed) return refuse(parsed.refusal);
    const { params, largeBody } = parsed;
    const answering = () => {
      if (sse && takesEventsAlone(accept)) return sse(response, params, { grant, largeBody, leaving, head });
      if (straight && type) return straight(response, params, { grant, largeBody, leaving, type, head });
      return byYoga({ grant, params, largeBody });
    };
    if (!largeBody) return answering();
    try {
      await answering();
    } finally {
      largeBody.release();
    }
  };
}

/** Of credentials that were not judged: too many of the address failed, or the identity provider cannot be reached. */
function notJudged(error: unknown): Refusal {
  if (!(error instanceof CodedError)) throw error;
  return error.code === "RATE_LIMITED" ? tooMuch(error) : tryLater(error, 503);
}

function tooMuch(error: CodedError): Refusal {
  return tryLater(error, 429);
}

function tryLater({ code, message, retryAfter = 1 }: CodedError, status: number): Refusal {
  return {
    status,
    code,
    message,
    retryAfter,
    headers: { "retry-after": String(retryAfter), connection: "close" },
  };
}

function hasPreflight({ headers }: IncomingMessage): boolean {
  return headers["x-switchboard-preflight"] !== undefined || headers.authorization !== undefined;
}

function isPlainJson({ headers }: IncomingMessage): boolean {
  if (headers["content-type"] === "application/json" && headers["content-encoding"] === undefined) return true;
  const [type, ...parameters] = (headers["content-type"] ?? "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => parameter.trim()).find((text) => text.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  const isEncoded = (headers["content-encoding"] ?? "identity").toLowerCase() !== "identity";
  return type?.trim() === "application/json" && isUtf8 && !isEncoded;
}
