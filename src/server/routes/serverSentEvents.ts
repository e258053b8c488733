// Server-sent events over HTTP, past Yoga as the straight way is: one operation of a POST, its results as they come, and
// "complete" behind them. What many subscribers are told is one text, made an event once for all of them.
import type { ServerResponse } from "node:http";
import type { ExecutionResult } from "graphql";
import type { Grant } from "../../auth/grant.ts";
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
  asking: { grant: Grant; largeBody: LargeBody | null; leaving: ClientSignal; head: ResponseHeaders },
) => Promise<void>;

/** Proxies and browsers give up a stream on which nothing comes. */
const PING_MS = 12_000;
const PING = ":\n\n";
const COMPLETE = "event: complete\ndata:\n\n";
/** Bytes that may wait for a peer when the next text comes: with more it is slow, and reads by itself. */
const MOST_WAITING = 64 * 1024;
const HEAD = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "content-encoding": "none",
  connection: "keep-alive",
};
const OK = { status: 200, headers: {} };

/** Whether events are asked for, and nothing else: with more to choose from it is Yoga that chooses. */
export function takesEventsAlone(accept: string): boolean {
  return accept.trim().toLowerCase() === "text/event-stream";
}

export function createSseHandler({ pipeline }: { pipeline: OperationPipeline }): SseHandler {
  const shared = new WeakMap<Buffer, Buffer>();
  const sharedEventOf = (payload: Buffer) => {
    const known = shared.get(payload) ?? eventOf(payload);
    shared.set(payload, known);
    return known;
  };

  return async (response, params, { grant, largeBody, leaving, head }) => {
    const take: SendPayloads = (payloads) => {
      if (response.destroyed || response.writableLength > MOST_WAITING) return false;
      for (const payload of payloads) response.write(sharedEventOf(payload));
      return true;
    };
    const operation = pipeline.prepare(params, grant, largeBody);
    const result = "errors" in operation ? operation : await operation.run(leaving, take);
    const { status, headers } = Symbol.asyncIterator in result ? OK : headOf(result.errors, "application/json");
    // Some browsers take an answer for none until its first byte.
    response.writeHead(status, { ...head, ...HEAD, ...headers }).write(PING);
    const pings = setInterval(() => response.writableLength === 0 && response.write(PING), PING_MS);
    await tellAll(response, result, leaving()).finally(() => clearInterval(pings));
    if (!response.destroyed) response.end(COMPLETE);
  };
}

async function tellAll(response: ServerResponse, result: OperationResult, signal: AbortSignal): Promise<void> {
  let release = (): void => undefined;
  /** Resolves when the bytes have left, or never will: whoever follows the log waits here, and lags there. */
  const tell = (told: ExecutionResult) =>
    new Promise<void>((resolve) => {
      release = resolve;
      response.write(eventOf(textOf(told)), () => resolve());
      if (signal.aborted) resolve();
    });
  if (!(Symbol.asyncIterator in result)) return tell(result);
  const end = () => {
    void result.return?.();
    release();
  };
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  for await (const each of result) await tell(each);
}

function eventOf(payload: Buffer | string): Buffer {
  return Buffer.concat([Buffer.from("event: next\ndata: "), Buffer.from(payload), Buffer.from("\n\n")]);
}

function textOf(result: ExecutionResult): string {
  return JSON.stringify(result.errors ? { ...result, errors: result.errors.map(withoutHttpHint) } : result);
}
