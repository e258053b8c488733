// The one operation pipeline: parse → measure → validate → coerce → authorize → cost → execute → public errors. HTTP,
// server-sent events and WebSocket are shells around it, so that nothing holds on one transport and not on another.
import {
  GraphQLError,
  validateExecutionArgs,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationTypeNode,
} from "graphql";
import type { Grant } from "../auth/grant.ts";
import type { FailureLimit } from "../auth/failureLimit.ts";
import type { Viewer } from "../auth/scopes.ts";
import type { Context, KnownLoaders, Services } from "../resolvers/context.ts";
import { CodedError } from "../errors.ts";
import type { Loaders } from "../loaders/loaders.ts";
import type { Log } from "../log.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import { createQueryOwner, createRefusedOwner, type QueryOwnerOf } from "../store/scheduling/queryOwner.ts";
import type { RequestAllowance, Requester } from "../upstream/requester.ts";
import type { MaybePromise } from "../util/maybePromise.ts";
import { createOperationPolicy } from "./policy/operationPolicy.ts";
import { createDocumentCache } from "./documents/documentCache.ts";
import type { ClientSignal } from "./clientSignal.ts";
import { LIMITS, LONG_NAME } from "./documents/documentLimits.ts";
import type { Executor } from "./executor/executor.ts";
import { rememberCoerced } from "./policy/coercionCache.ts";
import { cutLongLists, putLongLists } from "./documents/variableLimits.ts";
import { LARGE, malformed, type OperationRequest } from "./operationParams.ts";
import { isTooMuchToPrint, TOO_MUCH_TO_PRINT } from "./documents/errorTextLimit.ts";
import { createGraphqlErrors } from "./graphqlErrors.ts";
import { createOpen } from "./requestId.ts";
import { readEvents } from "./subscriptions/eventExecution.ts";
import { resultOf, runOnce, staying, type Execution } from "./executor/executionResult.ts";
import type { Take } from "./subscriptions/sharedGroup.ts";
import { createGroupRegistry } from "./subscriptions/groupRegistry.ts";
import type { SubscriberCount } from "./subscriptions/subscriberCount.ts";
import { openSubscription } from "./subscriptions/subscription.ts";
import type { FindTrusted } from "./documents/trustedDocuments.ts";

export type OperationResult = ExecutionResult | AsyncIterableIterator<ExecutionResult>;

/** An operation that passed every check, and has asked nothing of anybody yet. */
export interface Operation {
  kind: OperationTypeNode;
  document: DocumentNode;
  name: string | null;
  /** It keeps much of a large body until it was run. */
  hasLongLists: boolean;
  /**
   * Runs it, once. Neither throws nor rejects. Whoever leaves ends what only this operation waits for; of a subscription
   * `leaving` is not looked at, for return() ends it. Where `take` is given, results that many subscribers are told go there,
   * and the others come from the iterator, never both at a time.
   */
  run(leaving: ClientSignal | null, take?: Take): MaybePromise<OperationResult>;
}

export interface OperationPipeline {
  /** Every check there is, and nothing else. The errors are public. */
  prepare(request: OperationRequest, grant: Grant): Operation | { errors: GraphQLError[] };
}

/** The pipeline as its owner has it. */
export interface OwnedPipeline extends OperationPipeline {
  /** To be called when somebody's number was erased: nothing is remembered of operations that are over. */
  forget(): void;
}

export interface OperationPipelineDeps {
  schema: GraphQLSchema;
  services: Services;
  /** Who asks the service: a new one for each execution, on behalf of the viewer. */
  askerFor: (viewer: Viewer, signal: AbortSignal, allowance: RequestAllowance) => Requester;
  createLoaders: (asker: Requester) => Loaders;
  createKnown: () => KnownLoaders;
  subscribers: Pick<SubscriberCount, "enter">;
  /** Of subscribers who are told the same. */
  groups: Pick<SubscriberCount, "enter">;
  refusals: FailureLimit;
  introspection: boolean;
  /** Whether each result tells what it cost in requests to the service. */
  tellRequests: boolean;
  /** Requests to the service that one operation may need at worst. */
  queryBudget: number;
  /** Rows of the database that one operation may read at worst. */
  logBudget: number;
  /** Counts rows that are about to be read for the viewer; throws RATE_LIMITED. */
  payRows: (viewer: Viewer, rows: number) => Promise<void>;
  execute: Executor;
  /** Null where any document may run. */
  findTrusted: FindTrusted | null;
  slices: TimeSlices;
  log: Log;
}

export function createOperationPipeline(deps: OperationPipelineDeps): OwnedPipeline {
  const {
    schema,
    services,
    askerFor,
    createLoaders,
    createKnown,
    subscribers,
    groups,
    refusals,
    introspection,
    tellRequests,
    queryBudget,
    logBudget,
    payRows,
    execute,
    findTrusted,
    slices,
    log,
  } = deps;
  const maxTokens = findTrusted ? LIMITS.trustedTokens : LIMITS.tokens;
  const publicNames = new Set(introspection ? Object.keys(schema.getTypeMap()) : []);
  const protocolErrors = createGraphqlErrors(publicNames);
  const { check, isAccepted, forget } = createDocumentCache({ schema, introspection, maxTokens, protocolErrors });

  const { coerce, judge } = rememberCoerced({
    coerce(document, operationName, variableValues) {
      if (isTooMuchToPrint(schema, document, variableValues)) return [new GraphQLError(TOO_MUCH_TO_PRINT)];
      const options = { maxCoercionErrors: LIMITS.errors };
      return validateExecutionArgs({ schema, document, variableValues, operationName, hideSuggestions: true, options });
    },
    judge: createOperationPolicy({ protocolErrors, queryBudget, logBudget }),
  });

  function beginAs(viewer: Viewer, askerOf: () => Requester, readerOf: QueryOwnerOf, inputUsed = () => {}): Execution {
    let context: Context | undefined;
    let asker: Requester | undefined;
    const createContext = (own: Requester): Context => ({
      ...services,
      viewer,
      loaders: createLoaders(own),
      known: createKnown(),
      reader: readerOf(own.signal),
      inputUsed,
    });
    return {
      context: () => (context ??= createContext((asker ??= askerOf()))),
      tally: tellRequests ? (asker ??= askerOf()).usage : null,
    };
  }

  const shared = createGroupRegistry({
    follow: (request, onHead) => services.events.follow({ ...request, reader: undefined }, onHead),
    execute: ({ operation, rootValue, viewer, asker, readerOf, open }) =>
      resultOf(
        { operation, execute, begin: () => beginAs(viewer, () => asker, readerOf), leaving: () => asker.signal, open },
        rootValue,
      ),
    payRows,
    pay: (viewer, signal) => askerFor(viewer, signal, { max: 1, counted: 1 }).beforeSend(),
    present: groups,
    log,
  });

  return {
    forget,
    prepare(given, grant) {
      const viewer = grant.viewer();
      const inputUsed = given[LARGE];
      const open = createOpen(log);
      if (!viewer) return { errors: [open(protocolErrors.unauthenticated())] };
      const refuse = (errors: readonly GraphQLError[]) => {
        const excess = refusals.record(viewer.name);
        return { errors: (excess ? [protocolErrors.rateLimited(excess)] : errors).map(open) };
      };
      const request = findTrusted ? findTrusted(given) : given;
      if (!request) return refuse([protocolErrors.notTrusted()]);
      const problem = malformed(request);
      if (problem) return refuse([protocolErrors.malformed(problem)]);
      const operationName = (request.operationName ?? null) as string | null;
      if (operationName !== null && operationName.length > LIMITS.name)
        return refuse([protocolErrors.tooComplex(LONG_NAME)]);
      const source = request.query as string;
      // Whoever was refused too often is read no new document; those that are right go on, and cost nothing.
      const excess = isAccepted(source) ? null : refusals.check(viewer.name);
      if (excess) return { errors: [open(protocolErrors.rateLimited(excess))] };
      const checked = check(source);
      if ("errors" in checked) return refuse(checked.errors);
      const whole = (request.variables ?? {}) as Record<string, unknown>;
      const { variables, longLists, excess: tooLong } = cutLongLists(schema, checked.document, operationName, whole);
      if (tooLong) return refuse([protocolErrors.tooComplex(tooLong)]);
      const coerced = coerce(checked.document, operationName, variables);
      if (!("operation" in coerced)) return refuse(coerced.slice(0, LIMITS.errors).map(protocolErrors.inputRefused));
      const { refusal, requests, rows } = judge(coerced, viewer);
      if (refusal) return refuse([refusal]);
      const allowance = { max: queryBudget, counted: requests };
      const beginFor = (now: Viewer, leaving: ClientSignal, readerOf: QueryOwnerOf) =>
        beginAs(now, () => askerFor(now, leaving(), allowance), readerOf, inputUsed);
      // Each event is shown with the rights that its viewer has by then; without any, the subscription ends.
      const beginEvent = (leaving: ClientSignal): MaybePromise<Execution> => {
        const now = grant.viewer() ?? viewer;
        if (rows === 0) return beginFor(now, leaving, readerAs(now));
        // The event is told all the same; what it would have read is its error.
        return payRows(now, rows).then(
          () => beginFor(now, leaving, readerAs(now)),
          (refused: Error) => beginFor(now, leaving, () => createRefusedOwner(now.name, refused)),
        );
      };
      const judgeAgain = () => {
        const now = grant.viewer();
        const against = now ? judge(coerced, now).refusal : protocolErrors.unauthenticated();
        return against && { errors: [open(against)] };
      };
      const kind = coerced.operation.operation;
      return {
        kind,
        hasLongLists: kind !== "subscription" && longLists.length > 0,
        document: checked.document,
        name: coerced.operation.name?.value ?? null,
        run(leaving, take) {
          if (kind !== "subscription") {
            const begin = (left: ClientSignal) => beginFor(viewer, left, readerAs(viewer));
            const once = () => runOnce({ operation: coerced, execute, begin, leaving: leaving ?? staying, open });
            const runWhole = async () => {
              const errors = await putLongLists(longLists, coerced, (steps) => slices.run(viewer.name, steps));
              return errors.length > 0 ? refuse(errors.map(protocolErrors.inputRefused)) : once();
            };
            const run = longLists.length > 0 ? runWhole : once;
            if (rows === 0) return run();
            return payRows(viewer, rows).then(run, (error) => ({
              errors: [open(error instanceof CodedError ? protocolErrors.rateLimited(error) : error)],
            }));
          }
          const source = (left: ClientSignal) => beginFor(grant.viewer() ?? viewer, left, readerAs(viewer));
          const share = () => slices.waitForSlice(viewer.name);
          const reads = { operation: coerced, execute, source, share, begin: beginEvent, open };
          return openSubscription({
            read: (reading) => readEvents(reads, reading),
            seam: take ? shared.seamFor({ operation: coerced, allowance, rows, grant, take }) : null,
            grant,
            judge: judgeAgain,
            onOver: subscribers.enter(),
          });
        },
      };
    },
  };
}

const readerAs =
  ({ name }: Viewer): QueryOwnerOf =>
  (signal) =>
    createQueryOwner(name, signal);
