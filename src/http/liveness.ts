// Tells a socket that lives from one that does not: progress is a pong, a message, or bytes that have left. A reader that
// stops reading makes none, and neither does one whose machine is gone.
import type { WebSocket } from "ws";

export interface LivenessTimes {
  pingMs: number;
  /** Without any progress for so long, a socket is given up. */
  stallMs: number;
}

export interface Liveness {
  /** To be called when bytes have left for the peer. */
  progressed(): void;
  stop(): void;
}

export const LIVENESS: LivenessTimes = { pingMs: 30_000, stallMs: 60_000 };

/** Pings until it is stopped; calls `onStall` once, and then no more. */
export function watchLiveness(socket: WebSocket, { pingMs, stallMs }: LivenessTimes, onStall: () => void): Liveness {
  let last = performance.now();
  let pingAt = last + pingMs;
  const progressed = () => {
    last = performance.now();
  };
  socket.on("pong", progressed).on("message", progressed);

  // One timer for both: there are as many of them as sockets.
  let timer = setTimeout(look, Math.min(pingMs, stallMs));
  function look(): void {
    const now = performance.now();
    if (now >= last + stallMs) return onStall();
    if (now >= pingAt) {
      socket.ping();
      pingAt = now + pingMs;
    }
    timer = setTimeout(look, Math.min(pingAt, last + stallMs) - now);
  }
  return { progressed, stop: () => clearTimeout(timer) };
}
