// Writes server-sent events, as the protocol of graphql-sse has them: results are events named "next", and the end is an event named
// "complete". The ID of an event is its cursor (graphql/subscriptions/eventId.ts).
import type { ServerResponse } from "node:http";
import type { ExecutionResult } from "graphql";
import { CONNECTION_LIMITS } from "../../config/limits.ts";
import type { OperationResult } from "../../graphql/operation.ts";
import { eventIdOf } from "../../graphql/subscriptions/eventId.ts";
import type { SendResults, SharedResult } from "../../graphql/subscriptions/sharedGroup.ts";
import type { ResponseHeaders } from "../securityHeaders.ts";
import type { Exchange } from "./exchange.ts";
import { headOf, jsonOf } from "./writeJson.ts";
import { writeResults } from "./writeResults.ts";

/** Proxies must not collect, compress or store a stream. */
const HEADERS: ResponseHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "private, no-store, no-transform",
  "x-accel-buffering": "no",
  "content-encoding": "none",
  connection: "keep-alive",
};

/** Proxies and browsers close silent streams. */
const PING_INTERVAL_MS = 12_000;
const PING = ":\n\n";
const COMPLETE = "event: complete\ndata:\n\n";
const RETRY_MS = 1000;
const OK = { status: 200, headers: {} };

export interface EventStream {
  /** Takes the results of a shared subscription: each is encoded once for all its subscribers. */
  senderTo(response: ServerResponse): SendResults;
  /** Writes all results, and the end. */
  write(result: OperationResult, exchange: Exchange): Promise<void>;
}

export function createEventStream(): EventStream {
  const sharedEvents = new WeakMap<SharedResult, Buffer>();
  const sharedEventOf = (result: SharedResult) => {
    const event = sharedEvents.get(result) ?? encodeEvent(result.payload, result.cursor);
    sharedEvents.set(result, event);
    return event;
  };
  return {
    senderTo: (response) => (results) => {
      // A slow client leaves its group: see sharedGroup.ts.
      if (response.destroyed || response.writableLength > CONNECTION_LIMITS.unsentBytes) return false;
      for (const result of results) response.write(sharedEventOf(result));
      return true;
    },
    async write(result, exchange) {
      const { response, headers } = exchange;
      const isStream = Symbol.asyncIterator in result;
      const head = isStream ? OK : headOf(result.errors, "application/json");
      // Some browsers ignore a response until its first byte.
      response.writeHead(head.status, { ...headers, ...HEADERS, ...head.headers }).write(PING);
      if (!isStream) {
        response.write(encodeResult(result));
        response.end(COMPLETE);
        return;
      }
      response.write(encodeRetry(Math.random()));
      const pings = setInterval(() => response.writableLength === 0 && response.write(PING), PING_INTERVAL_MS);
      await writeResults(result, encodeResult, exchange).finally(() => clearInterval(pings));
      response.end(COMPLETE);
    },
  };
}

/**
 * Tells a browser how long to wait before it reconnects. Each stream gets another time, from one second to three, so that
 * browsers do not come back all at once. `random`: from 0 to 1.
 */
export function encodeRetry(random: number): string {
  return `retry: ${Math.round(RETRY_MS * (1 + 2 * random))}\n\n`;
}

function encodeEvent(payload: Buffer | string, id: string | null): Buffer {
  const head = id === null ? "event: next\ndata: " : `event: next\nid: ${id}\ndata: `;
  return Buffer.concat([Buffer.from(head), Buffer.from(payload), Buffer.from("\n\n")]);
}

/** A result without data and errors only moves the ID: a browser notes it, and dispatches no event. */
export function encodeResult(result: ExecutionResult): Buffer {
  const id = eventIdOf(result);
  if (id !== null && result.data === undefined && !result.errors) return Buffer.from(`id: ${id}\n\n`);
  return encodeEvent(jsonOf(result), id);
}
