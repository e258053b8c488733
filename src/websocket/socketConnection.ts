// What the server keeps of a WebSocket that is open.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Heartbeat } from "./heartbeat.ts";
import type { TokenBucket } from "../util/tokenBucket.ts";

/** Functions take this record, and are no closures of each socket: there are ten thousand. */
export interface Connection {
  socket: WebSocket;
  stream: Duplex;
  address: string;
  liveness: Heartbeat;
  pace: TokenBucket;
  /** Its credentials were accepted. Until then its messages are smaller and fewer. */
  isAdmitted: boolean;
  /** Closed by us, or because of what it sent: its end is counted already. */
  isEnded: boolean;
  /** Closed because it sends too fast. */
  isCutOff: boolean;
  /** To be called when it said who it is. */
  begun: () => void;
  leaveAddress: () => void;
  leaveViewer: () => void;
  leaveGrant: () => void;
}
