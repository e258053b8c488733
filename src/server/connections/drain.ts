// Sends away, a few at a time, what does not end by itself: all at once, ten thousand readers would come to another
// gateway in the same moment. What has an answer under way is left until it has given it.
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** A WebSocket, or an answer of server-sent events. */
export interface Drainable {
  /** Whether something is under way on it that ends by itself, such as a mutation: cut, nobody would know what became of it. */
  isBusy(): boolean;
  /** Ends it, so that its client knows to come back. Called once. */
  close(): void;
}

const TICK_MS = 100;
/** A handful of readers is no crowd. */
const FEWEST_TOGETHER = 10;
/** Of the window; the rest is for those that were busy. */
const SPREAD = 0.75;

/** Resolves when nothing is present any more, or the window is over. Nothing may come while it runs. */
export async function drain(present: () => readonly Drainable[], windowMs: number): Promise<void> {
  const told = new Set<Drainable>();
  const ticks = Math.max(1, Math.floor((windowMs * SPREAD) / TICK_MS));
  const together = Math.max(FEWEST_TOGETHER, Math.ceil(present().length / ticks));
  const end = performance.now() + windowMs;
  while (present().length > 0 && performance.now() < end) {
    const free = present().filter((one) => !told.has(one) && !one.isBusy());
    for (const one of free.slice(0, together)) {
      told.add(one);
      one.close();
    }
    await pause(Math.min(TICK_MS, Math.max(0, end - performance.now())));
  }
}

/** An answer of server-sent events. Cut and not completed: a subscription that was cut is one that its reader resumes. */
export function drainableStream(response: ServerResponse): Drainable {
  return {
    // A stream has begun to answer when it stands; what has not begun yet is still being asked for.
    isBusy: () => !response.headersSent,
    close: () => response.destroy(),
  };
}

/** Whether bytes wait for a reader. Node counts a connection as idle as soon as its answer is written, read or not. */
export function hasUnsentBytes(connections: Iterable<Socket>): boolean {
  for (const { writableLength } of connections) if (writableLength > 0) return true;
  return false;
}

/** Resolves when nothing waits for a reader, or at `end` (of performance.now()). */
export async function waitUntilSent(connections: Iterable<Socket>, end: number): Promise<void> {
  while (hasUnsentBytes(connections) && performance.now() < end) await pause(TICK_MS);
}
