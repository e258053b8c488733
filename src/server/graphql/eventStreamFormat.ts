// The text of server-sent events, as the protocol of graphql-sse has them: results are events named "next", and the end is an
// event named "complete". The ID of an event is its cursor (graphql/subscriptions/eventId.ts).
import type { ExecutionResult } from "graphql";
import { withoutHttpHint } from "../../errors.ts";
import { eventIdOf } from "../../graphql/subscriptions/eventId.ts";

/** Proxies must not collect, compress or store a stream. */
export const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "private, no-cache, no-transform",
  "x-accel-buffering": "no",
  "content-encoding": "none",
  connection: "keep-alive",
} as const;

/** Proxies and browsers close silent streams. */
export const PING_INTERVAL_MS = 12_000;
export const PING = ":\n\n";
export const COMPLETE = "event: complete\ndata:\n\n";

const RETRY_MS = 1000;

/**
 * Tells a browser how long to wait before it reconnects. Each stream gets another time, from one second to three, so that
 * browsers do not come back all at once. `random`: from 0 to 1.
 */
export function encodeRetry(random: number): string {
  return `retry: ${Math.round(RETRY_MS * (1 + 2 * random))}\n\n`;
}

export function encodeEvent(payload: Buffer | string, id: string | null): Buffer {
  const head = id === null ? "event: next\ndata: " : `event: next\nid: ${id}\ndata: `;
  return Buffer.concat([Buffer.from(head), Buffer.from(payload), Buffer.from("\n\n")]);
}

/** A result without data and errors only moves the ID: a browser notes it, and dispatches no event. */
export function encodeResult(result: ExecutionResult): Buffer {
  const id = eventIdOf(result);
  if (id !== null && result.data === undefined && !result.errors) return Buffer.from(`id: ${id}\n\n`);
  const shown = result.errors ? { ...result, errors: result.errors.map(withoutHttpHint) } : result;
  return encodeEvent(JSON.stringify(shown), id);
}
