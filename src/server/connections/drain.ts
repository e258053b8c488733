// Closes long-lived connections at shutdown, a few at a time: if all were closed at once, ten thousand clients would
// reconnect to another gateway at the same moment. Connections with a running query or mutation are closed after its answer.
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** A WebSocket, or a response of server-sent events. */
export interface Drainable {
  /** Whether something is running that ends by itself, such as a mutation: cutting it would hide its outcome. */
  isBusy(): boolean;
  /** Ends it, so that its client knows to reconnect. Called once. */
  close(): void;
}

const TICK_MS = 100;
const MIN_PER_TICK = 10;
/** The part of the window in which idle connections are closed. The rest is left for busy ones. */
const SPREAD = 0.75;
/** Requests have at least the last two seconds of the window: connections that are idle for one of them are closed. */
const REQUESTS_MS = 2000;

/**
 * Resolves when every connection was closed from here, or after `windowMs`. It does not wait for peers: one that has disappeared never
 * answers. No connection may be added meanwhile.
 */
export async function drain(listOpen: () => readonly Drainable[], windowMs: number): Promise<void> {
  const closed = new Set<Drainable>();
  const ticks = Math.max(1, Math.floor((windowMs * SPREAD) / TICK_MS));
  const perTick = Math.max(MIN_PER_TICK, Math.ceil(listOpen().length / ticks));
  const end = performance.now() + windowMs;
  for (;;) {
    const left = listOpen().filter((connection) => !closed.has(connection));
    const idle = left.filter((connection) => !connection.isBusy());
    for (const connection of idle.slice(0, perTick)) {
      closed.add(connection);
      connection.close();
    }
    if (left.every((connection) => closed.has(connection)) || performance.now() >= end) return;
    await pause(Math.min(TICK_MS, Math.max(0, end - performance.now())));
  }
}

/** Resolves when requests need the rest of the window. Connections that are still busy then go on being drained. */
export async function untilTimeOfRequests(windowMs: number): Promise<void> {
  await pause(Math.max(0, Math.min(windowMs * SPREAD, windowMs - REQUESTS_MS)), null, { ref: false });
}

/** Cuts the stream without its "complete" event: a client resumes a subscription that was cut. */
export function drainableStream(response: ServerResponse): Drainable {
  return {
    // A stream sends its head when its subscription is established. Before that, the operation is still starting. What has ended is an
    // answer, whose bytes may not have left.
    isBusy: () => !response.headersSent || response.writableEnded,
    close: () => response.destroy(),
  };
}
