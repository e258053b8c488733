// Detects dead WebSockets: sends pings, and reports a socket without any progress for a minute; socketServer.ts closes it.
// Progress is a pong, a message, or bytes that have left. A peer that stops reading makes none, and neither does one that lost
// its network.
import type { WebSocket } from "ws";
import { afterReading } from "../util/deadline.ts";

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
  /** Milliseconds of performance.now(), like the times below. */
  lastProgressAt: number;
  nextPingAt: number;
  /** The first ping after the last progress, if it is later than that. */
  unansweredPingAt: number;
  isStopped: boolean;
  /** One timer serves the pings and the stall check. */
  timer: NodeJS.Timeout;
}

export const HEARTBEAT: HeartbeatTimes = { pingMs: 30_000, stallTimeoutMs: 60_000 };

/** Sends pings until it is stopped or the socket stalls. Calls `onStall` at most once. */
export function startHeartbeat(socket: Heartbeat["socket"], times: HeartbeatTimes, onStall: () => void): Heartbeat {
  const now = performance.now();
  const timer = setTimeout(() => check(heartbeat), Math.min(times.pingMs, times.stallTimeoutMs));
  const state = { lastProgressAt: now, nextPingAt: now + times.pingMs, unansweredPingAt: -Infinity, isStopped: false };
  const heartbeat: Heartbeat = { socket, times, onStall, ...state, timer };
  return heartbeat;
}

/** Call it for each pong and message, and when bytes have left for the peer. */
export function recordProgress(heartbeat: Pick<Heartbeat, "lastProgressAt">): void {
  heartbeat.lastProgressAt = performance.now();
}

export function stopHeartbeat(heartbeat: Heartbeat): void {
  heartbeat.isStopped = true;
  clearTimeout(heartbeat.timer);
}

function check(heartbeat: Heartbeat): void {
  const { socket, times, lastProgressAt, unansweredPingAt } = heartbeat;
  const now = performance.now();
  if (now >= stallTime(heartbeat)) return afterReading(() => endIfStalled(heartbeat));
  if (now >= heartbeat.nextPingAt) {
    socket.ping();
    heartbeat.nextPingAt = now + times.pingMs;
    if (unansweredPingAt <= lastProgressAt) heartbeat.unansweredPingAt = now;
  }
  schedule(heartbeat);
}

/**
 * The peer has the time between ping and stall to answer, also where the process itself stood still and sent its ping late: a paused
 * virtual machine must not close the sockets of healthy peers.
 */
function stallTime({ times, lastProgressAt, unansweredPingAt, nextPingAt }: Heartbeat): number {
  // Not asked yet: the ping comes first.
  const firstPingAt = unansweredPingAt > lastProgressAt ? unansweredPingAt : Math.max(performance.now(), nextPingAt);
  return Math.max(lastProgressAt + times.stallTimeoutMs, firstPingAt + times.stallTimeoutMs - times.pingMs);
}

function endIfStalled(heartbeat: Heartbeat): void {
  if (heartbeat.isStopped) return;
  if (performance.now() >= stallTime(heartbeat)) heartbeat.onStall();
  else schedule(heartbeat);
}

function schedule(heartbeat: Heartbeat): void {
  const dueAt = Math.min(heartbeat.nextPingAt, stallTime(heartbeat));
  heartbeat.timer = setTimeout(() => check(heartbeat), dueAt - performance.now());
}
