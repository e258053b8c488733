// The pipeline of every operation: parse → measure → validate → coerce → authorize → cost → execute → public errors. HTTP,
// server-sent events and WebSocket all use it, so that no check exists on one transport only.
import type { ExecutionResult, GraphQLError, GraphQLSchema } from "graphql";
import type { FailureLimit } from "../auth/failureLimit.ts";
import type { FloodLog } from "../auth/floodLog.ts";
import { withAccess, type Grant } from "../auth/grant.ts";
import type { Viewer } from "../auth/scopes.ts";
import { CodedError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { EventStreamSource, SubscriptionSource } from "../resolvers/context.ts";
import { createRefusedOwner, queryOwnerFor, type QueryOwnerOf } from "../store/scheduling/queryOwner.ts";
import type { RequestAllowance, Requester } from "../upstream/requester.ts";
import type { MaybePromise } from "../util/maybePromise.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import { createRequestCheck, type CheckedRequest } from "./checkRequest.ts";
import type { AnswerSources } from "./answerSources.ts";
import { neverAborts, type ClientSignal } from "./clientSignal.ts";
import { createDocumentCache } from "./documents/documentCache.ts";
import { DOCUMENT_LIMITS } from "./documents/documentLimits.ts";
import type { FindTrusted } from "./documents/trustedDocuments.ts";
import { coerceLongLists } from "./documents/variableLimits.ts";
import { createScopeOpener, type ScopeOpenerDeps } from "./executionScope.ts";
import { executeRequest } from "./executor/answerInParts.ts";
import { executeFor, type ExecutionScope } from "./executor/executionResult.ts";
import type { Executor } from "./executor/executor.ts";
import { createGraphqlErrors } from "./graphqlErrors.ts";
import type { OperationPipeline, OperationResult } from "./operation.ts";
import { createOperationLimit } from "./operationLimit.ts";
import { namesOf } from "./publicMessages.ts";
import { createDecisionCache } from "./policy/decisionCache.ts";
import { createOperationPolicy } from "./policy/operationPolicy.ts";
import { createErrorPublisher, type PublishError } from "./publishError.ts";
import type { StartDelivery } from "./subscriptions/delivery.ts";
import { executeEvents } from "./subscriptions/eventExecution.ts";
import { findExecuteWithId } from "./subscriptions/eventId.ts";
import { createGroupRegistry } from "./subscriptions/groupRegistry.ts";
import type { SendResults } from "./subscriptions/sharedGroup.ts";
import { openSubscription, type SubscriberCount } from "./subscriptions/subscription.ts";
import type { SubscriptionObserver } from "./subscriptions/subscriptionObserver.ts";

/** The pipeline for its owner. */
export interface OwnedPipeline extends OperationPipeline {
  /** Removes all cached documents and what is cached for them. To be called when a phone number was erased. */
  forget(): void;
}

export interface OperationPipelineDeps extends ScopeOpenerDeps {
  schema: GraphQLSchema;
  /** Creates what calls the service for one execution. */
  createRequester: (
    viewer: Viewer,
    signal: AbortSignal,
    allowance: RequestAllowance,
    responses: AnswerSources["responses"] | null,
  ) => Requester;
  subscriberCount: Pick<SubscriberCount, "enter">;
  groupCount: Pick<SubscriberCount, "enter">;
  observer?: Pick<SubscriptionObserver, "delivered">;
  /** Counts the refused operations of each viewer. */
  failureLimit: FailureLimit;
  /** Gets the viewers whose operations are too large. */
  floodLog: Pick<FloodLog, "refused">;
  introspection: boolean;
  /** Maximum of requests to the service for one operation, at worst. */
  queryBudget: number;
  /** Maximum of rows of the database for one operation, at worst. */
  logBudget: number;
  /** Charges the viewer for rows that are about to be read. Throws RATE_LIMITED. */
  chargeRows: (viewer: Viewer, rows: number) => Promise<void>;
  execute: Executor;
  /** Null: any document may run. */
  findTrusted: FindTrusted | null;
  slices: TimeSlices;
  startDelivery: StartDelivery;
  log: Log;
}

/** A checked request with what its execution needs. */
interface PreparedOperation extends CheckedRequest {
  grant: Grant;
  /** The viewer of the request. Each event of a subscription uses the viewer that the grant has by then. */
  viewer: Viewer;
  allowance: RequestAllowance;
  rows: number;
  releaseInput: () => void;
  publish: PublishError;
  refuse: (errors: readonly GraphQLError[]) => { errors: GraphQLError[] };
}

export function createOperationPipeline(deps: OperationPipelineDeps): OwnedPipeline {
  const { schema, services, createRequester, failureLimit, floodLog, introspection } = deps;
  const { queryBudget, logBudget, chargeRows, execute, findTrusted, slices, startDelivery, log } = deps;
  const maxTokens = findTrusted ? DOCUMENT_LIMITS.trustedTokens : DOCUMENT_LIMITS.tokens;
  const protocolErrors = createGraphqlErrors(introspection ? namesOf(schema) : new Set());
  const documents = createDocumentCache({ schema, introspection, maxTokens, protocolErrors });
  const checkRequest = createRequestCheck({
    schema,
    introspection,
    documents,
    findTrusted,
    failureLimit,
    protocolErrors,
  });
  const decide = createDecisionCache(createOperationPolicy({ protocolErrors, queryBudget, logBudget }));

  const operationLimit = createOperationLimit({ slices, floodLog });
  const openScope = createScopeOpener(deps);

  const groups = createGroupRegistry({
    follow: (request, onHead) => services.events.follow({ ...request, queryOwner: undefined }, onHead),
    execute: ({ operation, rootValue, viewer, requester, queryOwnerOf, publish }) => {
      const open = () => openScope({ viewer, createRequester: () => requester, queryOwnerOf });
      return executeFor(
        { operation, execute, openScope: open, clientSignal: () => requester.signal, publish },
        rootValue,
      );
    },
    chargeRows,
    chargeRequest: (viewer, signal) => createRequester(viewer, signal, ONE_REQUEST, null).payForRequest(),
    groupCount: deps.groupCount,
    startDelivery,
    observer: deps.observer,
    log,
  });

  const notNow = (publish: PublishError) => (error: unknown) => ({
    errors: [publish(error instanceof CodedError ? protocolErrors.rateLimited(error) : error)],
  });

  function runOnce(
    prepared: PreparedOperation,
    clientSignal: ClientSignal,
    inParts: boolean,
    sources: AnswerSources | undefined,
  ) {
    const { operation, longLists, viewer, allowance, rows, publish, refuse, releaseInput } = prepared;
    const openScopeOnce = (signal: ClientSignal) => {
      const createOwn = () => createRequester(viewer, signal(), allowance, sources?.responses ?? null);
      return openScope({
        viewer,
        createRequester: createOwn,
        queryOwnerOf: queryOwnerFor(viewer),
        releaseInput,
        sources,
      });
    };
    const executeNow = () =>
      executeRequest({ operation, execute, openScope: openScopeOnce, clientSignal, publish }, inParts);
    const coerceAndExecute = async () => {
      const errors = await coerceLongLists(longLists, operation, {
        introspection,
        run: (steps) => slices.run(viewer.name, steps),
      });
      return errors.length > 0 ? refuse(errors.map(protocolErrors.inputRefused)) : executeNow();
    };
    const run = longLists.length > 0 ? coerceAndExecute : executeNow;
    if (rows === 0) return run();
    return chargeRows(viewer, rows).then(run, notNow(publish));
  }

  function subscribe(
    prepared: PreparedOperation,
    send: SendResults | undefined,
    eventStream: EventStreamSource | null,
  ): Promise<OperationResult> {
    const { operation, viewer, allowance, rows, publish } = prepared;
    const grant = withAccess(prepared.grant, viewer.access);
    const openScopeOf = (
      now: Viewer,
      signal: ClientSignal,
      queryOwnerOf: QueryOwnerOf,
      source?: SubscriptionSource,
    ) => {
      const createOwn = () => createRequester(now, signal(), allowance, null);
      return openScope({ viewer: now, createRequester: createOwn, queryOwnerOf, source });
    };
    const openForEvent = (signal: ClientSignal): MaybePromise<ExecutionScope> => {
      const now = grant.viewer() ?? viewer;
      if (rows === 0) return openScopeOf(now, signal, queryOwnerFor(now));
      // An event is sent even if its rows cannot be charged: only the fields that read them fail.
      return chargeRows(now, rows).then(
        () => openScopeOf(now, signal, queryOwnerFor(now)),
        (refusal: Error) => openScopeOf(now, signal, () => createRefusedOwner(now.name, refusal)),
      );
    };
    const events = {
      operation,
      execute,
      openScope: openForEvent,
      sourceContext: (signal: ClientSignal, source: SubscriptionSource) =>
        openScopeOf(grant.viewer() ?? viewer, signal, queryOwnerFor(viewer), source).context(),
      executeWithId: eventStream && findExecuteWithId(operation),
      startDelivery,
      waitForShare: () => slices.waitForSlice(viewer.name),
      publish,
    };
    return openSubscription<ExecutionResult>({
      read: (source) => executeEvents(events, { ...source, eventStream }),
      handoff: send ? groups.handoffFor({ operation, allowance, rows, grant, send }) : null,
      grant,
      checkRights() {
        const now = grant.viewer();
        const refusal = now ? decide(operation, now).refusal : protocolErrors.unauthenticated();
        return refusal && { errors: [publish(refusal)] };
      },
      onEnd: deps.subscriberCount.enter(),
    });
  }

  return {
    forget: documents.forget,
    prepare(request, grant, largeBody = null) {
      const viewer = grant.viewer();
      const publish = createErrorPublisher(log);
      if (!viewer) return { errors: [publish(protocolErrors.unauthenticated())] };
      const refuse = (errors: readonly GraphQLError[]) => {
        const rateLimited = failureLimit.record(viewer.name);
        const isTooLarge = errors.some(({ extensions }) => extensions["code"] === "QUERY_TOO_COMPLEX");
        if (isTooLarge && !rateLimited) floodLog.refused(viewer.name, "operationSize");
        return { errors: (rateLimited ? [protocolErrors.rateLimited(rateLimited)] : errors).map(publish) };
      };
      const checked = checkRequest(request, viewer, largeBody);
      if ("errors" in checked) {
        return checked.countsAsFailure ? refuse(checked.errors) : { errors: checked.errors.map(publish) };
      }
      const { document, operation, longLists } = checked;
      const { refusal, requests, rows } = decide(operation, viewer);
      if (refusal) return refuse([refusal]);
      const allowance = { max: queryBudget, counted: requests };
      const releaseInput = largeBody?.release ?? ignore;
      const prepared = { ...checked, grant, viewer, allowance, rows, releaseInput, publish, refuse };
      const { operation: kind, name } = operation.operation;
      return {
        kind,
        document,
        name: name?.value ?? null,
        keepsLargeBody: kind !== "subscription" && longLists.length > 0,
        run: (clientSignal, send, eventStream, acceptsParts = false, sources) =>
          kind === "subscription"
            ? subscribe(prepared, send, eventStream ?? null)
            : operationLimit.run(viewer.name, clientSignal ?? neverAborts, {
                work: () => runOnce(prepared, clientSignal ?? neverAborts, acceptsParts, sources),
                refuse: notNow(publish),
              }),
      };
    },
  };
}

const ignore = () => undefined;

/** Charges a member of a group for one request: the group's own requester enforces the limit of the execution. */
const ONE_REQUEST: RequestAllowance = { max: 1, counted: 1 };
