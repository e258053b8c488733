// Pauses a WebSocket whose peer asks and does not read what it is told: the answers would wait in memory.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { noteLeaving, type Heartbeat } from "./heartbeat.ts";

/** Bytes that may wait for a peer: with more it is not heard until it has taken them. */
const MOST_UNSENT = 64 * 1024;

/** What a paused peer sends does not show that it is alive; the bytes that leave do. */
export function pauseWhileUnread({
  socket,
  stream,
  liveness,
}: {
  socket: WebSocket;
  stream: Duplex;
  liveness: Heartbeat;
}): void {
  if (socket.isPaused || stream.writableLength <= MOST_UNSENT) return;
  socket.pause();
  noteLeaving(stream, liveness);
  stream.once("drain", () => socket.resume());
}
