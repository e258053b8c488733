// The end of a server: it stops listening, answers what is on its connections, and closes idle connections last.
import { once } from "node:events";
import type { Server } from "node:http";
import { Server as TcpServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterReading } from "../../util/deadline.ts";

export interface ServerEnd {
  connections: ReadonlySet<Socket>;
  /** Whether a request of the connection is not answered yet. */
  isBusy: (connection: Socket) => boolean;
  /** Whether a readable request head came on the connection. */
  hasSentRequest: (connection: Socket) => boolean;
  /** Whether it is a WebSocket, which its own drain closes. */
  isUpgraded: (connection: Socket) => boolean;
  /** The number of connections that were accepted so far. */
  accepted: () => number;
  /** When the last request came (performance.now()). */
  lastRequestAt: () => number;
  /** Idle connections are closed when no request has come for so long: a proxy may be sending one. */
  quietMs: number;
  /** When all connections are cut (performance.now()). */
  endsAt: number;
  /** Called with the number of connections whose request was cut. */
  onCut: (requests: number) => void;
}

const IDLE_SWEEP_MS = 20;
/** A first request, or the rest of a head, has this long to come. */
const HEAD_MS = 1000;
/**
 * Turns under load take longer, and connections arrive in them. Sixty servers with 8 clients, on two busy cores, reset 89 connections with
 * 0.5 ms, 8 with 0.08 and 3 with 0.04.
 */
const SHORT_TURN_MS = 0.04;
const SHORT_TURN_WAITS_MS = 500;
/** After half a second a turn of half a millisecond is short enough. */
const GROWTH = 0.001;

/** Resolves when all connections are closed. */
export async function stopListening(server: Server, end: ServerEnd): Promise<void> {
  const { connections, isBusy, hasSentRequest, isUpgraded, accepted, lastRequestAt, quietMs, endsAt, onCut } = end;
  await shortTurn(accepted);
  const closed = once(server, "close");
  // Not `close` of node:http, which closes idle connections at once.
  TcpServer.prototype.close.call(server);
  const stoppedAt = performance.now();
  const isQuiet = () => performance.now() - Math.max(stoppedAt, lastRequestAt()) >= quietMs;
  const readAt = new Map<Socket, { bytes: number; at: number }>();
  for (const socket of connections)
    readAt.set(socket, { bytes: socket.bytesRead, at: hasSentRequest(socket) ? -Infinity : stoppedAt });
  /** Whether no part of a request may be under way on a connection that is not busy. */
  function isSilent(socket: Socket): boolean {
    const known = readAt.get(socket);
    if (known?.bytes === socket.bytesRead) return performance.now() - known.at >= HEAD_MS;
    readAt.set(socket, { bytes: socket.bytesRead, at: performance.now() });
    return false;
  }
  /** Their clients would keep them open. `closeIdleConnections` of node:http also closes those whose last answer is not sent yet. */
  function closeIdle(): void {
    if (!isQuiet()) return;
    for (const socket of connections)
      if (!isBusy(socket) && !isUpgraded(socket) && isSilent(socket) && socket.writableLength === 0) socket.destroy();
  }
  // After a long turn, requests may wait on connections that seem idle.
  const sweep = setInterval(() => isQuiet() && afterReading(closeIdle), IDLE_SWEEP_MS);
  function cutAll(): void {
    const requests = [...connections].filter(isBusy).length;
    if (requests > 0) onCut(requests);
    for (const socket of connections) socket.destroy();
  }
  const deadline = setTimeout(cutAll, Math.max(0, endsAt - performance.now()));
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
  // Ends the timer of node:http.
  server.close();
}

/**
 * Resolves right after a short turn of the event loop in which no connection was accepted, or after half a second. Hardly any connection
 * waits to be accepted then: the system resets those that wait when the server stops listening. What counts as short grows with the wait.
 */
async function shortTurn(accepted: () => number): Promise<void> {
  const began = performance.now();
  for (;;) {
    const [startedAt, before] = [performance.now(), accepted()];
    await nextTurn();
    const [waited, took] = [performance.now() - began, performance.now() - startedAt];
    if (waited > SHORT_TURN_WAITS_MS || (accepted() === before && took < SHORT_TURN_MS + waited * GROWTH)) return;
  }
}
