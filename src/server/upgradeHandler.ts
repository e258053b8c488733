// The port through which the HTTP server hands WebSocket upgrades on.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Drainable } from "./connections/drain.ts";

/** Takes over connections that ask for an upgrade (websocket/socketServer.ts). */
export interface UpgradeHandler {
  /** `request`: its origin and its path were checked. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The open connections, each the same object at every call. The server's drain closes them. */
  open(): Drainable[];
}
