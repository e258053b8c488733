// Pauses a WebSocket whose peer sends more than is handled or does not read the answers, which would otherwise pile up in memory.
// A peer that reads nothing: heartbeat.ts. One that reads slowly: server/connections/slowReaders.ts. A slow subscriber: sharedFrames.ts.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { CONNECTION_LIMITS, SOCKET_LIMITS } from "../config/limits.ts";
import { bytesQueued } from "../server/connections/socketProgress.ts";
import { recordProgress, type Heartbeat } from "./heartbeat.ts";

interface PausableConnection {
  socket: WebSocket;
  stream: Duplex;
  heartbeat: Heartbeat;
  waitingBytes: number;
}

/**
 * With too many unsent bytes, the peer is not read until it has taken all of them: meanwhile, only leaving bytes count as progress
 * for its heartbeat. With too many waiting messages, it is not read until fewer wait.
 */
export function pauseWhileBehind(connection: PausableConnection): void {
  const { socket, stream, heartbeat, waitingBytes } = connection;
  if (socket.isPaused) return;
  const isUnread = stream.writableLength > CONNECTION_LIMITS.unsentBytes;
  if (!isUnread && waitingBytes <= SOCKET_LIMITS.waitingBytes) return;
  socket.pause();
  if (!isUnread) return;
  recordProgressUntilDrained(stream, heartbeat);
  stream.once("drain", () => resumeReading(connection));
}

/** Reads the peer again, unless there is another reason to wait. */
export function resumeReading(connection: PausableConnection): void {
  connection.socket.resume();
  pauseWhileBehind(connection);
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
