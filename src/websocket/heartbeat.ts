// Detects dead WebSockets: sends pings, and reports a socket without any progress for a minute; socketServer.ts closes it.
// Progress is a pong, a message, or bytes that have left. A peer that stops reading makes none, and neither does one that lost
// its network.
import type { WebSocket } from "ws";

export interface HeartbeatTimes {
  pingMs: number;
  /** A socket without progress for this long is reported as stalled. */
  stallTimeoutMs: number;
}

/** A record with functions beside it: closures for each of ten thousand sockets would need more memory. */
export interface Heartbeat {
  socket: Pick<WebSocket, "ping">;
  times: HeartbeatTimes;
  onStall: () => void;
  /** Milliseconds of performance.now(). */
  lastProgressAt: number;
  nextPingAt: number;
  /** One timer serves the pings and the stall check. */
  timer: NodeJS.Timeout;
}

export const HEARTBEAT: HeartbeatTimes = { pingMs: 30_000, stallTimeoutMs: 60_000 };

/** Sends pings until it is stopped or the socket stalls. Calls `onStall` at most once. */
export function startHeartbeat(socket: Heartbeat["socket"], times: HeartbeatTimes, onStall: () => void): Heartbeat {
  const now = performance.now();
  const timer = setTimeout(() => check(heartbeat), Math.min(times.pingMs, times.stallTimeoutMs));
  const heartbeat: Heartbeat = { socket, times, onStall, lastProgressAt: now, nextPingAt: now + times.pingMs, timer };
  return heartbeat;
}

/** Call it for each pong and message, and when bytes have left for the peer. */
export function recordProgress(heartbeat: Pick<Heartbeat, "lastProgressAt">): void {
  heartbeat.lastProgressAt = performance.now();
}

export function stopHeartbeat({ timer }: Heartbeat): void {
  clearTimeout(timer);
}

function check(heartbeat: Heartbeat): void {
  const { socket, times, onStall, lastProgressAt } = heartbeat;
  const now = performance.now();
  const stallsAt = lastProgressAt + times.stallTimeoutMs;
  if (now >= stallsAt) return onStall();
  if (now >= heartbeat.nextPingAt) {
    socket.ping();
    heartbeat.nextPingAt = now + times.pingMs;
  }
  heartbeat.timer = setTimeout(() => check(heartbeat), Math.min(heartbeat.nextPingAt, stallsAt) - now);
}
