// Counts connections that were lost though they had carried a request before. Their server was closing them as idle, which says nothing of the
// request that met them.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { buildConnector as Building } from "undici";

export interface LostConnections extends Disposable {
  /** Connects as the given connector does. */
  connect: Building.connector;
  /** So many connections to an origin, such as `https://crm.example`, were lost after they had been kept. */
  kept(origin: string): number;
}

/** undici tells here of each request that it writes, and of its socket. */
const CHANNEL = "undici:client:sendHeaders";

export function countLostConnections(connect: Building.connector): LostConnections {
  /** Requests, by the socket. */
  const requests = new WeakMap<object, number>();
  const lost = new Map<string, number>();

  function noteRequest(message: unknown): void {
    const { socket } = message as { socket: object };
    const before = requests.get(socket);
    if (before !== undefined) requests.set(socket, before + 1);
  }
  subscribe(CHANNEL, noteRequest);
  return {
    connect(target, done) {
      const origin = `${target.protocol}//${target.host}`;
      connect(target, (...result) => {
        const [, socket] = result;
        if (socket) {
          requests.set(socket, 0);
          const note = () => {
            if ((requests.get(socket) ?? 0) > 1) lost.set(origin, (lost.get(origin) ?? 0) + 1);
            requests.delete(socket);
          };
          // Before undici's own listeners, by which the request fails.
          socket.once("end", note).once("error", note);
        }
        done(...result);
      });
    },
    kept: (origin) => lost.get(origin) ?? 0,
    [Symbol.dispose]: () => void unsubscribe(CHANNEL, noteRequest),
  };
}
