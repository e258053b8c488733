// Server-sent events without Yoga: one operation of a POST, its results as they come, and a "complete" event. The results of
// a shared subscription are encoded as an event once for all subscribers.
import type { ServerResponse } from "node:http";
import type { ExecutionResult } from "graphql";
import type { Grant } from "../../auth/grant.ts";
import { CONNECTION_LIMITS } from "../../config/limits.ts";
import { withoutHttpHint } from "../../errors.ts";
import type { ResponseHeaders } from "../securityHeaders.ts";
import type { ClientSignal } from "../../graphql/clientSignal.ts";
import type { OperationPipeline, OperationResult } from "../../graphql/pipeline.ts";
import type { LargeBody, OperationRequest } from "../../graphql/operationParams.ts";
import type { SendPayloads } from "../../graphql/subscriptions/sharedGroup.ts";
import { headOf } from "./jsonHandler.ts";

export type SseHandler = (
  response: ServerResponse,
  params: OperationRequest,
  context: { grant: Grant; largeBody: LargeBody | null; clientSignal: ClientSignal; headers: ResponseHeaders },
) => Promise<void>;

/** Proxies and browsers close silent streams. */
const PING_INTERVAL_MS = 12_000;
const PING = ":\n\n";
const COMPLETE = "event: complete\ndata:\n\n";
const SSE_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "content-encoding": "none",
  connection: "keep-alive",
};
const OK = { status: 200, headers: {} };

/** Whether only server-sent events are accepted. With more types to choose from, Yoga chooses. */
export function acceptsOnlyEventStream(accept: string): boolean {
  return accept.trim().toLowerCase() === "text/event-stream";
}

export function createSseHandler({ pipeline }: { pipeline: OperationPipeline }): SseHandler {
  const sharedEvents = new WeakMap<Buffer, Buffer>();
  const sharedEventOf = (payload: Buffer) => {
    const event = sharedEvents.get(payload) ?? encodeEvent(payload);
    sharedEvents.set(payload, event);
    return event;
  };

  return async (response, params, { grant, largeBody, clientSignal, headers }) => {
    const sendPayloads: SendPayloads = (payloads) => {
      // A slow client leaves its group: see sharedGroup.ts.
      if (response.destroyed || response.writableLength > CONNECTION_LIMITS.unsentBytes) return false;
      for (const payload of payloads) response.write(sharedEventOf(payload));
      return true;
    };
    const operation = pipeline.prepare(params, grant, largeBody);
    const result = "errors" in operation ? operation : await operation.run(clientSignal, sendPayloads);
    const head = Symbol.asyncIterator in result ? OK : headOf(result.errors, "application/json");
    // Some browsers ignore a response until its first byte.
    response.writeHead(head.status, { ...headers, ...SSE_HEADERS, ...head.headers }).write(PING);
    const pings = setInterval(() => response.writableLength === 0 && response.write(PING), PING_INTERVAL_MS);
    await sendAll(response, result, clientSignal()).finally(() => clearInterval(pings));
    if (!response.destroyed) response.end(COMPLETE);
  };
}

async function sendAll(response: ServerResponse, result: OperationResult, signal: AbortSignal): Promise<void> {
  let stopWaiting = (): void => undefined;
  /** Resolves when the bytes have left, or never will: a subscription reads its next event only then. */
  const send = (each: ExecutionResult) =>
    new Promise<void>((resolve) => {
      stopWaiting = resolve;
      response.write(encodeEvent(JSON.stringify(withoutHttpHints(each))), () => resolve());
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

function encodeEvent(payload: Buffer | string): Buffer {
  return Buffer.concat([Buffer.from("event: next\ndata: "), Buffer.from(payload), Buffer.from("\n\n")]);
}

function withoutHttpHints(result: ExecutionResult): ExecutionResult {
  return result.errors ? { ...result, errors: result.errors.map(withoutHttpHint) } : result;
}
