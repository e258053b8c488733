// The pipeline of every operation: parse → measure → validate → coerce → authorize → cost → execute → public errors. HTTP,
// server-sent events and WebSocket all use it, so that no check exists on one transport only.
import type { ExecutionResult, GraphQLError, GraphQLSchema } from "graphql";
import type { FailureLimit } from "../auth/failureLimit.ts";
import { withAccess, type Grant } from "../auth/grant.ts";
import type { Viewer } from "../auth/scopes.ts";
import type { Logger } from "../logger.ts";
import type { EventStreamSource, SubscriptionSource } from "../resolvers/context.ts";
import { createRefusedOwner, queryOwnerFor, type QueryOwnerOf } from "../store/scheduling/queryOwner.ts";
import { NO_CHECKS, type RequestAllowance } from "../upstream/requester.ts";
import { releaseOf } from "../util/bodies/bodyTurn.ts";
import type { MaybePromise } from "../util/maybePromise.ts";
import { createRequestCheck } from "./checkRequest.ts";
import { neverAborts, type ClientSignal } from "./clientSignal.ts";
import { createDocumentCache } from "./documents/documentCache.ts";
import { DOCUMENT_LIMITS } from "./documents/documentLimits.ts";
import type { FindTrusted } from "./documents/trustedDocuments.ts";
import { createScopeOpener, type ScopeOpenerDeps } from "./executionScope.ts";
import { executeFor, type ExecutionScope } from "./executor/executionResult.ts";
import { createGraphqlErrors } from "./graphqlErrors.ts";
import type { OperationPipeline, OperationResult } from "./operation.ts";
import type { OperationRequest } from "./operationParams.ts";
import { namesOf } from "./publicMessages.ts";
import { createAdmission, type AdmissionOptions } from "./policy/admission.ts";
import { createRequestRunner, type PreparedOperation, type RequestRunnerDeps } from "./requestRunner.ts";
import { createErrorPublisher } from "./publishError.ts";
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

export interface OperationPipelineDeps
  extends ScopeOpenerDeps, RequestRunnerDeps, Omit<AdmissionOptions, "protocolErrors"> {
  schema: GraphQLSchema;
  subscriberCount: Pick<SubscriberCount, "enter">;
  groupCount: Pick<SubscriberCount, "enter">;
  observer?: Pick<SubscriptionObserver, "delivered">;
  /** Counts the refused operations of each viewer. */
  failureLimit: FailureLimit;
  /** Null: any document may run. */
  findTrusted: FindTrusted | null;
  startDelivery: StartDelivery;
  log: Logger;
}

export function createOperationPipeline(deps: OperationPipelineDeps): OwnedPipeline {
  const { schema, services, createRequester, failureLimit, floodLog, introspection } = deps;
  const { chargeRows, execute, findTrusted, slices, startDelivery, log } = deps;
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
  const admission = createAdmission({ ...deps, protocolErrors });

  const openScope = createScopeOpener(deps);
  const runRequest = createRequestRunner(deps, openScope, protocolErrors);

  const cursorsOf = ({ access }: Pick<Viewer, "access">) => (access ? services.hiddenCursors : services.cursors);
  const groups = createGroupRegistry({
    cursorsOf,
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
      executeWithId: eventStream && findExecuteWithId(operation, cursorsOf(viewer)),
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
        const refusal = now ? admission.refusalOf(operation, now) : protocolErrors.unauthenticated();
        return refusal && { errors: [publish(refusal)] };
      },
      enter: deps.subscriberCount.enter,
    });
  }

  function check(request: OperationRequest, grant: Grant): PreparedOperation | { errors: GraphQLError[] } {
    const viewer = grant.viewer();
    const publish = createErrorPublisher(log);
    if (!viewer) return { errors: [publish(protocolErrors.unauthenticated())] };
    const refuse = (errors: readonly GraphQLError[]) => {
      const rateLimited = failureLimit.record(viewer.name);
      const isTooLarge = errors.some(({ extensions }) => extensions["code"] === "QUERY_TOO_COMPLEX");
      if (isTooLarge && !rateLimited) floodLog.refused(viewer.name, "operationSize");
      return { errors: (rateLimited ? [protocolErrors.rateLimited(rateLimited)] : errors).map(publish) };
    };
    const checked = checkRequest(request, viewer);
    if ("errors" in checked) {
      return checked.countsAsFailure ? refuse(checked.errors) : { errors: checked.errors.map(publish) };
    }
    const { refusal, allowance, rows } = admission.admit(checked.operation, viewer);
    if (refusal) return refuse([refusal]);
    return { ...checked, grant, viewer, allowance, rows, release: releaseOf(request), publish, refuse };
  }

  return {
    forget: documents.forget,
    prepare(request, grant) {
      const prepared = check(request, grant);
      if ("errors" in prepared) {
        releaseOf(request)?.();
        return prepared;
      }
      const { document, longLists, release } = prepared;
      const { operation: kind, name } = prepared.operation.operation;
      // Little of a large body is needed from now on, but for long lists of a query or a mutation (requestRunner.ts).
      if (kind === "subscription" || longLists.length === 0) release?.();
      return {
        kind,
        document,
        name: name?.value ?? null,
        run: (clientSignal, send, eventStream, acceptsParts = false, sources) =>
          kind === "subscription"
            ? subscribe(prepared, send, eventStream ?? null)
            : runRequest(prepared, clientSignal ?? neverAborts, acceptsParts, sources),
      };
    },
  };
}

/** Charges a member of a group for one request: the group's own requester enforces the limit of the execution. */
const ONE_REQUEST: RequestAllowance = { max: 1, counted: 1, checks: NO_CHECKS };
