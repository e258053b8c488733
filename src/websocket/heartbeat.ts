// Tells a socket that lives from one that does not: progress is a pong, a message, or bytes that have left. A reader that
// stops reading makes none, and neither does one whose machine is gone. A record and functions, for each of ten thousand
// sockets has one.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

export interface HeartbeatTimes {
  pingMs: number;
  /** Without any progress for so long, a socket is given up. */
  stallTimeoutMs: number;
}

export interface Heartbeat {
  socket: Pick<WebSocket, "ping">;
  times: HeartbeatTimes;
  onStall: () => void;
  progressAt: number;
  pingAt: number;
  /** One for both: there are as many of them as sockets. */
  timer: NodeJS.Timeout;
}

export const HEARTBEAT: HeartbeatTimes = { pingMs: 30_000, stallTimeoutMs: 60_000 };

/** Pings until it is stopped; calls `onStall` once, and then no more. */
export function startHeartbeat(socket: Heartbeat["socket"], times: HeartbeatTimes, onStall: () => void): Heartbeat {
  const now = performance.now();
  const timer = setTimeout(() => look(liveness), Math.min(times.pingMs, times.stallTimeoutMs));
  const liveness: Heartbeat = { socket, times, onStall, progressAt: now, pingAt: now + times.pingMs, timer };
  return liveness;
}

/** To be called for each pong and message, and when bytes have left for the peer. */
export function recordProgress(liveness: Pick<Heartbeat, "progressAt">): void {
  liveness.progressAt = performance.now();
}

export function stopHeartbeat({ timer }: Heartbeat): void {
  clearTimeout(timer);
}

/**
 * Until the stream has drained: whenever some of what waits has left, that is progress. A large answer is one write, and nothing
 * else tells that a slow peer is taking it.
 */
export function noteLeaving(stream: Duplex, liveness: Heartbeat): void {
  // What had come before its end is read behind it, and nothing would end this.
  if (stream.destroyed) return;
  let before = waitingIn(stream);
  const timer = setInterval(() => {
    const now = waitingIn(stream);
    if (now !== before) recordProgress(liveness);
    before = now;
  }, liveness.times.stallTimeoutMs / 4);
  const stop = () => {
    clearInterval(timer);
    stream.off("drain", stop).off("close", stop);
  };
  stream.once("drain", stop).once("close", stop);
}

/** Bytes that the system has not taken yet: by them Node itself tells a slow socket from an idle one (net.Socket.setTimeout). */
function waitingIn(stream: Duplex): number {
  return (stream as { _handle?: { writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0;
}

function look(liveness: Heartbeat): void {
  const { socket, times, onStall, progressAt } = liveness;
  const now = performance.now();
  if (now >= progressAt + times.stallTimeoutMs) return onStall();
  if (now >= liveness.pingAt) {
    socket.ping();
    liveness.pingAt = now + times.pingMs;
  }
  liveness.timer = setTimeout(() => look(liveness), Math.min(liveness.pingAt, progressAt + times.stallTimeoutMs) - now);
}
