// /graphql over HTTP: checks credentials and headers, reads and parses the body, and chooses the handler that runs the
// operation. Credentials and headers are checked first, so that nobody else can make the gateway keep a body. Which requests pages of
// other sites may not send, such as a GET: originPolicy.ts.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AdmitRequest } from "../../auth/credentialCache.ts";
import type { FailureLimit } from "../../auth/failureLimit.ts";
import { holdsNeeded, SUBMITTING, type Viewer } from "../../auth/scopes.ts";
import type { Logger } from "../../logger.ts";
import { observeOperations, type ServerObserver } from "../serverObserver.ts";
import { releaseOf } from "../../util/bodies/bodyTurn.ts";
import type { TimeSlices } from "../../util/timeSlices.ts";
import { readAccept, sortByWeight } from "./accept.ts";
import { addressOf } from "../connections/clientAddress.ts";
import { addressKey, viewerKey, type ConnectionQuota } from "../connections/connectionQuota.ts";
import { sendRefusal, type Refusal } from "../httpResponse.ts";
import { createAnswer } from "./answer.ts";
import { readGetParameters } from "./getParameters.ts";
import { readBody } from "../body/readBody.ts";
import type { BodyBudget } from "../body/bodyBudget.ts";
import { createParseBody } from "../body/parseBody.ts";
import { createGraphiqlPage, renderPage } from "./graphiqlPage.ts";
import type { OriginPolicy } from "../originPolicy.ts";
import { setHeaders, type ResponseHeaders } from "../securityHeaders.ts";
import { clientSignalOf } from "../../graphql/clientSignal.ts";
import { BODY_LIMITS } from "../../config/limits.ts";
import type { OperationPipeline } from "../../graphql/operation.ts";
import { acceptsCallback, hasCallback } from "../callbacks/callbackRequest.ts";
import type { CallbackHandler } from "../callbacks/callbackSubscriptions.ts";
import { createAnswerCached, NOT_STORED, type AnswerCaching } from "./httpCache.ts";
import { authorizationOf, isPlainJson } from "../requestHead.ts";
import {
  notAcceptable,
  otherSite,
  overBodyBudget,
  refusalOfAdmission,
  retryLater,
  tooLarge,
  tooManyStreams,
  unauthenticated,
  wrongMethod,
  wrongType,
} from "../refusals.ts";
import { sessionOf } from "../sessionCookie.ts";

export interface GraphqlRouteDeps {
  pipeline: OperationPipeline;
  /** False: Yoga writes the answers in one piece (FAST_PATH). */
  fastPath: boolean;
  /** Null: answers to GET are not stored, because any document may run. */
  caching: AnswerCaching | null;
  /** Subscriptions whose results are posted to a router. */
  runAsCallback: CallbackHandler;
  admit: AdmitRequest;
  failureLimit: FailureLimit;
  connectionQuota: ConnectionQuota;
  bodyBudget: BodyBudget;
  /** False for a gateway without authentication, where all viewers are the same. */
  knowsViewers: boolean;
  /** The number of proxies in front that write X-Forwarded-For. */
  trustedProxies: number;
  observer: ServerObserver;
  slices: TimeSlices;
  originPolicy: Pick<OriginPolicy, "cannotBeFromOtherSite" | "siteOf">;
  /** Whether GraphiQL is served to browsers. */
  graphiql: boolean;
  log: Logger;
}

const maxBodyBytes = (viewer: Viewer) =>
  holdsNeeded(viewer, SUBMITTING) ? BODY_LIMITS.graphqlWithTasks : BODY_LIMITS.graphql;

export function createGraphqlRoute(deps: GraphqlRouteDeps) {
  const {
    fastPath,
    caching,
    runAsCallback,
    admit,
    failureLimit,
    connectionQuota,
    bodyBudget,
    knowsViewers,
    trustedProxies,
    slices,
    log,
    originPolicy,
  } = deps;
  const pipeline = observeOperations(deps.pipeline, deps.observer, "http");
  const parseBody = createParseBody(slices);
  const page = deps.graphiql ? createGraphiqlPage(() => renderPage({ asksForKey: knowsViewers })) : null;
  const answerCached = fastPath && caching ? createAnswerCached(caching, deps.observer) : null;
  const answer = createAnswer({ pipeline, fastPath, answerCached, log });

  return async (request: IncomingMessage, response: ServerResponse, headers: ResponseHeaders): Promise<void> => {
    if (request.method === "OPTIONS") return void response.writeHead(204, headers).end();
    const refuse = (refusal: Refusal) => {
      setHeaders(response, headers);
      // A viewer over its failure limit gets 429 instead of the refusal.
      const overLimit = viewer && failureLimit.record(viewer.name);
      sendRefusal(request, response, overLimit ? retryLater(overLimit, 429) : refusal, log);
    };
    // Written back to the request, because refusals read the header too.
    const accept = (request.headers.accept = sortByWeight(request.headers.accept));
    const accepted = readAccept(accept);
    const clientSignal = clientSignalOf(response);
    const address = addressOf(request, trustedProxies);
    const session = knowsViewers ? sessionOf(request, originPolicy) : null;
    const credentials = session?.credentials ?? authorizationOf(request);
    const admitted = admit(credentials, address, request.socket);
    const grantOrRefusal = admitted instanceof Promise ? await admitted.catch(refusalOfAdmission) : admitted;
    // The client disconnected while its token was checked.
    if (response.destroyed) return;
    if (grantOrRefusal && "status" in grantOrRefusal) {
      setHeaders(response, headers);
      return sendRefusal(request, response, grantOrRefusal, log);
    }
    const grant = grantOrRefusal;
    const viewer = grant?.viewer() ?? null;
    const callerOf = ({ name }: Viewer) => (knowsViewers ? viewerKey(name) : addressKey(address));
    if (viewer && (accepted.events || accepted.parts)) {
      // Streams count towards the same quota as WebSockets.
      const release = connectionQuota.acquire(callerOf(viewer));
      if (!release) return refuse(tooManyStreams);
      response.once("close", release);
    }

    if (request.method === "GET") {
      // The page holds no data, so it needs no credentials.
      if (page && accept.includes("text/html")) return page(request, response, headers);
      if (!grant || !viewer) return refuse(session?.isForeign ? otherSite : unauthenticated(credentials));
      if (!originPolicy.cannotBeFromOtherSite(request)) return refuse(otherSite);
      if (request.headers["content-type"] !== undefined && !isPlainJson(request)) return refuse(wrongType);
      if (!accepted.isSupported) return refuse(notAcceptable);
      const turn = slices.waitForSlice(viewer.name);
      if (turn) await turn;
      if (response.destroyed) return;
      const read = readGetParameters(request.url ?? "");
      if ("refusal" in read) {
        setHeaders(response, NOT_STORED);
        return refuse(read.refusal);
      }
      const notStored = { ...headers, ...NOT_STORED };
      return answer(read.params, { request, response, accepted, headers: notStored, grant, clientSignal });
    }
    if (request.method !== "POST") return refuse(wrongMethod);
    if (!grant || !viewer) return refuse(session?.isForeign ? otherSite : unauthenticated(credentials));
    if (!isPlainJson(request)) return refuse(wrongType);
    if (!accepted.isSupported) return refuse(notAcceptable);
    const caller = callerOf(viewer);
    const bodyOrRefusal = await readBody(request, maxBodyBytes(viewer), () => bodyBudget.open(caller, response));
    if (typeof bodyOrRefusal === "string") return refuse(bodyOrRefusal === "too large" ? tooLarge : overBodyBudget);
    const turn = slices.waitForSlice(viewer.name);
    if (turn) await turn;
    if (response.destroyed) return;
    const parsing = parseBody(bodyOrRefusal, { viewer, caller, response });
    const parsed = parsing instanceof Promise ? await parsing : parsing;
    if ("refusal" in parsed) return refuse(parsed.refusal);
    const { params } = parsed;
    const subscribeByCallback = async () => {
      const refusal = await runAsCallback(response, params, { grant, caller, clientSignal, headers });
      if (refusal && !response.destroyed) refuse(refusal);
    };
    // Not async: most operations need no further promise.
    const run = () => {
      if (!accepted.isPlain && acceptsCallback(accept) && hasCallback(params)) return subscribeByCallback();
      return answer(params, { request, response, accepted, headers, grant, clientSignal });
    };
    const release = releaseOf(params);
    if (!release) return run();
    try {
      await run();
    } finally {
      release();
    }
  };
}
