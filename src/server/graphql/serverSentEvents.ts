// Server-sent events without Yoga: one operation of a POST or a GET, its results as they come, and a "complete" event. The
// results of a shared subscription are encoded as an event once for all subscribers.
import type { ServerResponse } from "node:http";
import type { ExecutionResult } from "graphql";
import type { Grant } from "../../auth/grant.ts";
import { CONNECTION_LIMITS } from "../../config/limits.ts";
import type { Log } from "../../log.ts";
import { COMPLETE, encodeEvent, encodeResult, encodeRetry } from "./eventStreamFormat.ts";
import { EVENT_STREAM_HEADERS, PING, PING_INTERVAL_MS } from "./eventStreamFormat.ts";
import type { ResponseHeaders } from "../securityHeaders.ts";
import type { ClientSignal } from "../../graphql/clientSignal.ts";
import { mutationByGet } from "../../graphql/graphqlErrors.ts";
import type { OperationPipeline, OperationResult } from "../../graphql/operation.ts";
import type { OperationRequest } from "../../graphql/operationParams.ts";
import { createErrorPublisher } from "../../graphql/publishError.ts";
import type { SendResults, SharedResult } from "../../graphql/subscriptions/sharedGroup.ts";
import { headOf } from "./jsonHandler.ts";

export interface SseContext {
  grant: Grant;
  clientSignal: ClientSignal;
  headers: ResponseHeaders;
  /** The header of the request. */
  lastEventId: string | null;
  /** Whether the request is a GET, which runs no mutation. */
  isGet: boolean;
}

export type SseHandler = (response: ServerResponse, params: OperationRequest, context: SseContext) => Promise<void>;

const OK = { status: 200, headers: {} };

/** `random`: from 0 to 1. */
export function createSseHandler(deps: { pipeline: OperationPipeline; log: Log; random?: () => number }): SseHandler {
  const { pipeline, log, random = Math.random } = deps;
  const sharedEvents = new WeakMap<SharedResult, Buffer>();
  const sharedEventOf = (result: SharedResult) => {
    const event = sharedEvents.get(result) ?? encodeEvent(result.payload, result.cursor);
    sharedEvents.set(result, event);
    return event;
  };

  return async (response, params, { grant, clientSignal, headers, lastEventId, isGet }) => {
    const sendResults: SendResults = (results) => {
      // A slow client leaves its group: see sharedGroup.ts.
      if (response.destroyed || response.writableLength > CONNECTION_LIMITS.unsentBytes) return false;
      for (const result of results) response.write(sharedEventOf(result));
      return true;
    };
    const run = (): Promise<OperationResult> | OperationResult => {
      const operation = pipeline.prepare(params, grant);
      if ("errors" in operation) return operation;
      if (isGet && operation.kind === "mutation") return { errors: [createErrorPublisher(log)(mutationByGet())] };
      return operation.run(clientSignal, sendResults, { lastEventId }, true);
    };
    const result = await run();
    const isStream = Symbol.asyncIterator in result;
    const head = isStream ? OK : headOf(result.errors, "application/json");
    // Some browsers ignore a response until its first byte.
    response.writeHead(head.status, { ...headers, ...EVENT_STREAM_HEADERS, ...head.headers }).write(PING);
    if (isStream) response.write(encodeRetry(random()));
    const pings = setInterval(() => response.writableLength === 0 && response.write(PING), PING_INTERVAL_MS);
    await sendAll(response, result, clientSignal()).finally(() => clearInterval(pings));
    response.end(COMPLETE);
  };
}

async function sendAll(response: ServerResponse, result: OperationResult, signal: AbortSignal): Promise<void> {
  let stopWaiting = (): void => undefined;
  /** Resolves when the bytes have left, or never will: a subscription reads its next event only then. */
  const send = (each: ExecutionResult) =>
    new Promise<void>((resolve) => {
      stopWaiting = resolve;
      response.write(encodeResult(each), () => resolve());
      if (signal.aborted) resolve();
    });
  if (!(Symbol.asyncIterator in result)) return send(result);
  const end = () => {
    void result.return?.();
    stopWaiting();
  };
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  for await (const each of result) await send(each);
}
