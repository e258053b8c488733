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
  const progressed = () => {
    last = performance.now();
  };
  socket.on("pong", progressed).on("message", progressed);

  const pings = setInterval(() => socket.ping(), pingMs);
  let check = setTimeout(look, stallMs);
  function look(): void {
    const idle = performance.now() - last;
    if (idle < stallMs) {
      check = setTimeout(look, stallMs - idle);
      return;
    }
    stop();
    onStall();
  }
  function stop(): void {
    clearInterval(pings);
    clearTimeout(check);
  }
  return { progressed, stop };
}
