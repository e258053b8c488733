import { noFloodLog } from "../../src/auth/floodLog.ts";
import type { ExecutionResult, GraphQLError, GraphQLSchema } from "graphql";
import { lastingGrant } from "../../src/auth/grant.ts";
import { noFailureLimit, type FailureLimit } from "../../src/auth/failureLimit.ts";
import { scopes, type Scope, type Viewer } from "../../src/auth/scopes.ts";
import type { Context } from "../../src/resolvers/context.ts";
import { createExecutor } from "../../src/graphql/executor/executor.ts";
import type { Operation } from "../../src/graphql/operation.ts";
import { createOperationPipeline } from "../../src/graphql/pipeline.ts";
import type { OperationRequest } from "../../src/graphql/operationParams.ts";
import { notTraced } from "../../src/graphql/subscriptions/delivery.ts";
import { createSubscriberCount } from "../../src/graphql/subscriptions/subscription.ts";
import { createLogger } from "../../src/logger.ts";
import { createRequester, NO_CHECKS, type Requester } from "../../src/upstream/requester.ts";
import { schema as wholeGraph } from "../../src/schema/schema.ts";
import type { CheckReserve } from "../../src/loaders/checkReserve.ts";
import { world, type World } from "../resolvers/world.ts";
import { createTimeSlices } from "../../src/util/timeSlices.ts";
import { unrestricted } from "../../src/auth/viewerPolicy.ts";

export interface PipelineOptions extends World {
  schema?: GraphQLSchema;
  introspection?: boolean;
  queryBudget?: number;
  checkReserve?: CheckReserve;
  logBudget?: number;
  /** Called before rows of the database are read. */
  payRows?: (viewer: Viewer, rows: number) => Promise<void>;
  compiles?: boolean;
  refusals?: FailureLimit;
  tellRequests?: boolean;
  /** Called before each request to the service. */
  pay?: (viewer: Viewer) => void;
  /** Creates the loaders of each execution. */
  loaders?: (signal: AbortSignal, asker: Requester) => Context["loaders"];
}

/** The pipeline with the real schema, over the fake service of world.ts. */
export function pipeline({
  schema = wholeGraph,
  introspection = false,
  queryBudget = 500,
  checkReserve = () => NO_CHECKS,
  logBudget = 2500,
  payRows = async () => undefined,
  compiles = true,
  refusals = noFailureLimit,
  tellRequests = false,
  pay = () => undefined,
  loaders,
  ...given
}: PipelineOptions = {}) {
  const { context, asked, askedTasks } = world(given);
  const lines: string[] = [];
  const contexts: AbortSignal[] = [];
  const subscribers = createSubscriberCount();
  const groups = createSubscriberCount();
  const { prepare } = createOperationPipeline({
    schema,
    services: context,
    createRequester: (viewer, signal, allowance) =>
      createRequester({ signal, allowance, payRateLimit: () => pay(viewer) }),
    createLoaders(asker) {
      contexts.push(asker.signal);
      return loaders?.(asker.signal, asker) ?? context.loaders;
    },
    createKnownLoaders: () => context.known,
    subscriberCount: subscribers,
    groupCount: groups,
    failureLimit: refusals,
    floodLog: noFloodLog,
    introspection,
    reportUsage: tellRequests,
    queryBudget,
    checkReserve,
    logBudget,
    chargeRows: payRows,
    findTrusted: null,
    slices: createTimeSlices(),
    startDelivery: () => notTraced,
    execute: createExecutor({ compiles }),
    log: createLogger({ level: "debug", secrets: [], write: (line) => lines.push(line) }),
  });
  const grantOf = (granted: readonly Scope[] = scopes) =>
    lastingGrant({ name: "web", scopes: new Set(granted), ...unrestricted });

  function prepared(query: unknown, variables?: unknown, granted?: readonly Scope[]): Operation {
    const operation = prepare({ query, variables }, grantOf(granted));
    if ("errors" in operation) throw new Error(JSON.stringify(operation.errors));
    return operation;
  }
  function refusal(request: OperationRequest, granted?: readonly Scope[]): readonly GraphQLError[] {
    const operation = prepare(request, grantOf(granted));
    if (!("errors" in operation)) throw new Error("it was not refused");
    return operation.errors;
  }
  async function run(query: string, variables?: unknown, granted?: readonly Scope[]): Promise<ExecutionResult> {
    const result = await prepared(query, variables, granted).run(() => new AbortController().signal);
    if (Symbol.asyncIterator in result) throw new Error("it is a subscription");
    return result;
  }
  async function subscribe(query: string, variables?: unknown) {
    const result = await prepared(query, variables).run(null);
    if (!(Symbol.asyncIterator in result)) throw new Error(JSON.stringify(result));
    return result;
  }
  return {
    subscribers,
    groups,
    prepare,
    grantOf,
    prepared,
    refusal,
    run,
    subscribe,
    asked,
    askedTasks,
    contexts,
    lines,
  };
}

export const codes = (errors: readonly GraphQLError[] | undefined): unknown[] =>
  (errors ?? []).map(({ extensions }) => extensions["code"]);
