// Subscriptions by Apollo's HTTP callback protocol (callback/1.0). A router posts a subscription with an address; the gateway asks
// that address for a confirmation, answers the request, and posts each result there. The operation itself runs in the pipeline, as
// on every other transport.
import type { ServerResponse } from "node:http";
import type { ExecutionResult, GraphQLError } from "graphql";
import { withAccess, type Grant } from "../../auth/grant.ts";
import { CALLBACK_LIMITS } from "../../config/limits.ts";
import { CodedError, withoutHttpHint } from "../../errors.ts";
import type { ClientSignal } from "../../graphql/clientSignal.ts";
import type { OperationPipeline } from "../../graphql/operation.ts";
import type { OperationRequest } from "../../graphql/operationParams.ts";
import { createErrorPublisher } from "../../graphql/publishError.ts";
import type { SubscriptionEnd } from "../../graphql/subscriptions/subscriptionObserver.ts";
import type { Logger } from "../../logger.ts";
import { createLogAggregator } from "../../util/logAggregator.ts";
import type { ConnectionQuota } from "../connections/connectionQuota.ts";
import type { Drainable } from "../connections/drain.ts";
import type { Refusal } from "../httpResponse.ts";
import { writeJson } from "../graphql/writeJson.ts";
import { callbackRefused, tooManyHeartbeats, tooManyStreams } from "../refusals.ts";
import type { ResponseHeaders } from "../securityHeaders.ts";
import { observeOperations, type ServerObserver } from "../serverObserver.ts";
import { CALLBACK_PROTOCOL, type CallbackClient } from "./callbackClient.ts";
import { createCallbackDelivery, encode, reasonOf } from "./callbackDelivery.ts";
import { readCallback, type CallbackTarget } from "./callbackRequest.ts";
import { checkIntervalOf, createHeartbeatBudget } from "./heartbeatBudget.ts";

export interface CallbackContext {
  grant: Grant;
  /** Whose quota of connections the subscription counts towards. */
  caller: string;
  clientSignal: ClientSignal;
  headers: ResponseHeaders;
}

/** Answers the request, or returns why it is refused. */
export type CallbackHandler = (
  response: ServerResponse,
  params: OperationRequest,
  context: CallbackContext,
) => Promise<Refusal | undefined>;

/** Disposing of it ends all subscriptions at once. */
export interface CallbackSubscriptions extends AsyncDisposable {
  handle: CallbackHandler;
  /** For the drain at shutdown. The same object for a subscription at every call. */
  running(): Drainable[];
}

export interface CallbackSubscriptionsDeps {
  pipeline: OperationPipeline;
  /** SUBSCRIPTION_CALLBACK_URLS. */
  allowed: readonly string[];
  client: CallbackClient;
  connectionQuota: ConnectionQuota;
  observer: ServerObserver;
  log: Logger;
}

type Results = AsyncIterator<ExecutionResult, undefined> & { return?: (reason?: SubscriptionEnd) => Promise<unknown> };

const LOG_INTERVAL_MS = 60_000;
const CONFIRMED = 204;

export function createCallbackSubscriptions(deps: CallbackSubscriptionsDeps): CallbackSubscriptions {
  const { allowed, client, connectionQuota, log } = deps;
  const pipeline = observeOperations(deps.pipeline, deps.observer, "callback");
  /** By address and ID, from the request to the last message. */
  const subscriptions = new Map<string, Drainable>();
  const heartbeats = createHeartbeatBudget();
  const stop = new AbortController();
  const brokenLog = createLogAggregator(
    (reasons) => log.warn({ reasons }, "Subscriptions ended, because a router took no message"),
    { intervalMs: LOG_INTERVAL_MS, reportsFirstAtOnce: true },
  );

  const handle: CallbackHandler = async (response, params, context) => {
    const target = readCallback(params, allowed);
    if (typeof target === "string") return callbackRefused(target);
    const operation = pipeline.prepare(params, context.grant);
    const respond = (result: ExecutionResult) => {
      writeJson(response, result, "application/json", context.headers);
      return undefined;
    };
    if ("errors" in operation) return respond(operation);
    if (operation.kind !== "subscription") return callbackRefused("Only a subscription has a callbackUrl.");
    const key = `${target.url} ${target.id}`;
    if (subscriptions.has(key)) return callbackRefused("A subscription with this callbackUrl and this ID is running.");
    const release = subscriptions.size < CALLBACK_LIMITS.total ? connectionQuota.acquire(context.caller) : null;
    if (!release) return tooManyStreams;
    const endHeartbeats = heartbeats.acquire(context.caller, target);
    if (!endHeartbeats) {
      release();
      return tooManyHeartbeats;
    }
    let end: Drainable["close"] | null = null;
    subscriptions.set(key, { isBusy: () => end === null, close: () => end?.() });
    const leave = () => {
      subscriptions.delete(key);
      release();
      endHeartbeats();
    };
    try {
      const refusal = await confirm(target, context.clientSignal());
      if (refusal || response.destroyed) return refusal;
      const { start, sendResults, close } = createRun(target, context.grant, leave);
      const result = await operation.run(context.clientSignal, sendResults);
      if (!(Symbol.asyncIterator in result)) return respond(result);
      const isAnswered = await answer(response, context.headers);
      if (!isAnswered || stop.signal.aborted) return void (await result.return?.());
      end = close;
      start(result);
      return undefined;
    } finally {
      if (!end) leave();
    }
  };

  async function confirm(target: CallbackTarget, signal: AbortSignal): Promise<Refusal | undefined> {
    const outcome = await client.post(target.url, encode(target, { action: "check", payload: null }), signal);
    if (outcome === CONFIRMED) return undefined;
    return callbackRefused(`The router did not confirm the subscription with ${CONFIRMED}: ${reasonOf(outcome)}.`);
  }

  /** `leave` is called once, after the last message. */
  function createRun(target: CallbackTarget, begunWith: Grant, leave: () => void) {
    const publish = createErrorPublisher(log);
    const grant = withAccess(begunWith, begunWith.viewer()?.access ?? null);
    let results: Results | undefined;
    const delivery = createCallbackDelivery({
      target,
      post: client.post,
      mayDeliver: () => grant.viewer() !== null,
      onGone: () => void results?.return?.("client"),
      onBroken(reason) {
        brokenLog.add(reason);
        void results?.return?.("failed");
        void delivery.complete(errorsOf([publish(interrupted("A result was not delivered"))]));
      },
      signal: stop.signal,
    });

    async function sendAll(all: AsyncIterable<ExecutionResult>): Promise<void> {
      try {
        for await (const { data, errors, ...rest } of all) {
          // A request error: the subscription cannot go on.
          if (data === undefined) return await delivery.complete(errorsOf(errors ?? []));
          const shown = errors ? { errors: errors.map(withoutHttpHint) } : {};
          await delivery.next(Buffer.from(JSON.stringify({ data, ...shown, ...rest })));
        }
        await delivery.complete(null);
      } catch (error) {
        await delivery.complete(errorsOf([publish(error)]));
      }
    }

    return {
      sendResults: delivery.sendResults,
      close() {
        void results?.return?.("shutdown");
        void delivery.complete(errorsOf([publish(interrupted("The gateway is stopping"))]));
      },
      start(all: AsyncIterableIterator<ExecutionResult>) {
        results = all;
        const checks =
          target.heartbeatMs > 0 ? setInterval(delivery.check, checkIntervalOf(target)).unref() : undefined;
        const onStop = () => void all.return?.("shutdown");
        stop.signal.addEventListener("abort", onStop);
        void sendAll(all).finally(() => {
          clearInterval(checks);
          stop.signal.removeEventListener("abort", onStop);
          leave();
        });
      },
    };
  }

  return {
    handle,
    running: () => [...subscriptions.values()],
    async [Symbol.asyncDispose]() {
      stop.abort();
      brokenLog[Symbol.dispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

/** Resolves with whether the answer was handed to the connection: results may come only after it. */
function answer(response: ServerResponse, headers: ResponseHeaders): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  response.once("close", () => resolve(response.writableFinished));
  response.once("finish", () => resolve(true));
  if (response.destroyed) resolve(false);
  const body = JSON.stringify({ data: null });
  const own = { "content-type": "application/json; charset=utf-8", "content-length": body.length };
  response.writeHead(200, { ...headers, ...own, ...CALLBACK_PROTOCOL }).end(body);
  return promise;
}

const errorsOf = (errors: readonly GraphQLError[]) => Buffer.from(JSON.stringify(errors.map(withoutHttpHint)));

const interrupted = (reason: string) =>
  new CodedError("SUBSCRIPTION_INTERRUPTED", `${reason}. Subscribe again after the last cursor.`);
