// Pauses a WebSocket whose peer sends requests but does not read the answers, which would otherwise pile up in memory. A peer
// that reads nothing: heartbeat.ts. One that reads slowly: server/connections/slowReaders.ts. A slow subscriber: sharedFrames.ts.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { CONNECTION_LIMITS } from "../config/limits.ts";
import { bytesQueued } from "../server/connections/socketProgress.ts";
import { recordProgress, type Heartbeat } from "./heartbeat.ts";

interface PausableConnection {
  socket: WebSocket;
  stream: Duplex;
  heartbeat: Heartbeat;
}

/**
 * The peer is not read until it has taken all unsent bytes. While the socket is paused, only leaving bytes count as progress
 * for its heartbeat.
 */
export function pauseWhileUnread({ socket, stream, heartbeat }: PausableConnection): void {
  if (socket.isPaused || stream.writableLength <= CONNECTION_LIMITS.unsentBytes) return;
  socket.pause();
  recordProgressUntilDrained(stream, heartbeat);
  stream.once("drain", () => socket.resume());
}

/**
 * Records progress whenever some of the unsent bytes have left, until the stream is drained or closed. A large answer is one
 * write: no event of the stream shows that a slow peer is taking it.
 */
export function recordProgressUntilDrained(stream: Duplex, heartbeat: Heartbeat): void {
  // Messages that arrived before the end of a stream are handled after it is destroyed; "close" would never come.
  if (stream.destroyed) return;
  let before = bytesQueued(stream);
  const timer = setInterval(() => {
    const now = bytesQueued(stream);
    if (now !== before) recordProgress(heartbeat);
    before = now;
  }, heartbeat.times.stallTimeoutMs / 4);
  const stop = () => {
    clearInterval(timer);
    stream.off("drain", stop).off("close", stop);
  };
  stream.once("drain", stop).once("close", stop);
}
