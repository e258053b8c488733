// Where the gateway can be traced. Each function returns its part with spans around it, or the part itself.
import type { EventLog } from "../events/eventLog.ts";
import type { Executor, WrapResolver } from "../graphql/executor/executor.ts";
import type { OperationPipeline } from "../graphql/operation.ts";
import type { OwnedPipeline } from "../graphql/pipeline.ts";
import { notTraced, type StartDelivery } from "../graphql/subscriptions/delivery.ts";
import { handleAtOnce, type SurroundRequest } from "../server/requestEntry.ts";
import type { TaskSender } from "../upstream/sendCreateTask.ts";
import type { Transport } from "../upstream/transport.ts";
import type { Upstream } from "../upstream/upstream.ts";

/** Disposing it sends the spans that are left, for a few seconds at most. */
export interface Tracing extends AsyncDisposable {
  /** Each HTTP request. */
  request: SurroundRequest;
  /** Each operation, of every transport. */
  pipeline(pipeline: OwnedPipeline): OwnedPipeline;
  /** Each message on a WebSocket that asks for an operation. */
  messages(pipeline: OperationPipeline): OperationPipeline;
  /** Resolvers that wait. `create` is called with what wraps each resolver, or without. */
  executor(create: (wrap?: WrapResolver) => Executor): Executor;
  /** A function that reads many keys at once. */
  batch<Key, Result>(name: string, read: BatchRead<Key, Result>): BatchRead<Key, Result>;
  /** What the gateway asks of the service, for one caller or for many. */
  upstream(upstream: Upstream): Upstream;
  /** Requests to the service at `url`. They carry the header traceparent. */
  transport(transport: Transport, url: string): Transport;
  taskSender(sender: TaskSender, url: string): TaskSender;
  /** The commit of each event. */
  events(events: EventLog): EventLog;
  /** The way of an event to subscribers. */
  startDelivery: StartDelivery;
}

type BatchRead<Key, Result> = (keys: readonly Key[]) => Promise<Result>;

const same = <Part>(part: Part): Part => part;

/** Costs nothing: every part stays as it is. */
export const noTracing: Tracing = {
  request: handleAtOnce,
  pipeline: same,
  messages: same,
  executor: (create) => create(),
  batch: (_, read) => read,
  upstream: same,
  transport: same,
  taskSender: same,
  events: same,
  startDelivery: () => notTraced,
  [Symbol.asyncDispose]: async () => undefined,
};
