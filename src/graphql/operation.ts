// What a transport gives to the pipeline, and what it gets: a checked operation, which runs once.
import type { DocumentNode, ExecutionResult, GraphQLError, OperationTypeNode } from "graphql";
import type { Grant } from "../auth/grant.ts";
import type { EventStreamSource } from "../resolvers/context.ts";
import type { MaybePromise } from "../util/maybePromise.ts";
import type { AnswerSources } from "./answerSources.ts";
import type { ClientSignal } from "./clientSignal.ts";
import type { OperationRequest } from "./operationParams.ts";
import type { SendResults } from "./subscriptions/sharedGroup.ts";

export type OperationResult = ExecutionResult | AsyncIterableIterator<ExecutionResult>;

/** An operation that passed every check. Nothing was read for it yet. */
export interface Operation {
  kind: OperationTypeNode;
  document: DocumentNode;
  name: string | null;
  /**
   * Call it once. It does not throw or reject.
   * - `clientSignal` aborts a query or a mutation when its client has left. What others wait for too goes on. A subscription
   *   ignores it: return() of its results ends it. It takes a SubscriptionEnd for the metrics; without one, the client left.
   * - `send` gets the results of a subscription while it is in a shared group. All other results come from the iterator.
   * - `acceptsParts`: a query with `@defer` or `@stream` may be answered by an iterator of parts. Default: in one piece.
   * - `eventStream` is given for server-sent events. Results of the log then have an event ID (subscriptions/eventId.ts).
   * - `sources` is told what the answer of a query is made of, for HTTP caches.
   */
  run(
    clientSignal: ClientSignal | null,
    send?: SendResults,
    eventStream?: EventStreamSource,
    acceptsParts?: boolean,
    sources?: AnswerSources,
  ): MaybePromise<OperationResult>;
}

export interface OperationPipeline {
  /** Runs every check. The errors are public. A turn that the request holds ends with it, or with the use of its long lists. */
  prepare(request: OperationRequest, grant: Grant): Operation | { errors: GraphQLError[] };
}
