// The open connections of a server, and what is known of each. Those of addresses that have too many are cut at once.
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { networkOf } from "./clientAddress.ts";
import type { ConnectionGuard } from "./connectionGuard.ts";
import type { Rejections } from "./rejections.ts";

export interface OpenConnections {
  /** Upgraded connections too, which node:http does not count. */
  all: ReadonlySet<Socket>;
  /** The number of connections that were accepted so far, cut ones included. */
  accepted(): number;
  add(socket: Socket): void;
  /** A readable request head came. */
  sentRequest(socket: Duplex): void;
  hasSentRequest(socket: Duplex): boolean;
  /** It asked for a WebSocket. */
  upgrade(socket: Duplex): void;
  isUpgraded(socket: Duplex): boolean;
  /** Ends the connection without an answer. `reason`: a word for the metrics. */
  cut(socket: Socket, reason: string): void;
}

export function createOpenConnections(
  guard: Pick<ConnectionGuard, "open" | "close">,
  rejections: Pick<Rejections, "add">,
): OpenConnections {
  const all = new Set<Socket>();
  const sentRequest = new WeakSet<Duplex>();
  const upgraded = new WeakSet<Duplex>();
  let accepted = 0;

  // One function for all connections instead of a closure for each of ten thousand.
  function onClose(this: Socket): void {
    all.delete(this);
    const address = networkOf(this.remoteAddress);
    guard.close(address);
    if (!sentRequest.has(this)) rejections.add("connection", this.bytesRead > 0 ? "unreadable" : "silent", address);
  }
  return {
    all,
    accepted: () => accepted,
    add(socket) {
      accepted += 1;
      const address = networkOf(socket.remoteAddress);
      if (!guard.open(address)) {
        rejections.add("connection", "cut", address);
        socket.resetAndDestroy();
        return;
      }
      all.add(socket);
      socket.on("close", onClose);
    },
    sentRequest: (socket) => void sentRequest.add(socket),
    hasSentRequest: (socket) => sentRequest.has(socket),
    upgrade(socket) {
      sentRequest.add(socket);
      upgraded.add(socket);
    },
    isUpgraded: (socket) => upgraded.has(socket),
    cut(socket, reason) {
      rejections.add("connection", reason, networkOf(socket.remoteAddress));
      socket.destroy();
    },
  };
}
