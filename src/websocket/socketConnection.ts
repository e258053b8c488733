// What the server keeps of an open WebSocket, and two of its limits: the time for connection_init, and the input after a
// close.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { SOCKET_LIMITS } from "../config/limits.ts";
import type { SubscriptionEnd } from "../graphql/subscriptions/subscriptionObserver.ts";
import type { Heartbeat } from "./heartbeat.ts";
import { afterReading } from "../util/deadline.ts";
import type { TokenBucket } from "../util/rates/tokenBucket.ts";

/** A record with functions beside it: closures for each of ten thousand sockets would need more memory. */
export interface Connection {
  socket: WebSocket;
  stream: Duplex;
  /** As the connection quota and the rate limits count it. */
  address: string;
  heartbeat: Heartbeat;
  tokenBucket: TokenBucket;
  /** The viewer's name, once the credentials were accepted. Before that, messages must be fewer and smaller. */
  viewer: string | null;
  /** The bytes of messages that wait for their viewer's turn. */
  waitingBytes: number;
  /** Closed by the gateway or by an invalid frame: the metrics have counted its end. Null: it is not closing. */
  closedAs: Extract<SubscriptionEnd, "shutdown" | "rejected"> | null;
  /** Closed for too many messages. */
  isCutOff: boolean;
  /** Credentials of the upgrade's cookie (server/sessionCookie.ts). */
  session: string | undefined;
  /** The client showed credentials where none are read: in a header of the upgrade, or in another member of connection_init. */
  showsKeyElsewhere: boolean;
  stopInitTimeout: () => void;
  releaseAddress: () => void;
  releaseViewer: () => void;
  unsubscribeFromGrant: () => void;
}

/**
 * Calls `onTimeout` unless the returned function is called in time. After a long turn of the event loop, messages that have
 * arrived are handled first: when thousands of clients connect at once, the gateway's own delay must not disconnect them.
 */
export function startInitTimeout(onTimeout: () => void): () => void {
  let isWaiting = true;
  let timer: NodeJS.Timeout | undefined = setTimeout(() => {
    afterReading(() => isWaiting && onTimeout());
  }, SOCKET_LIMITS.initTimeoutMs);
  return () => {
    isWaiting = false;
    clearTimeout(timer);
    // The connection keeps the returned function; the timer must not stay in memory with it.
    timer = undefined;
  };
}

/**
 * Drops further input without parsing it, and ends the connection. An immediate disconnect could lose the close frame, so
 * only a peer that goes on sending is disconnected. ws parses the "data" events of the stream (wsContract.test.ts).
 */
export function discardInput(stream: Duplex): void {
  let left = SOCKET_LIMITS.discardedBytes;
  stream.removeAllListeners("data").on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) stream.destroy();
  });
  stream.resume().end();
}
