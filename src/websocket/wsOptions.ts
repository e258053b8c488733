// Options of the ws library, and the close codes of the errors that ws detects by itself.
import { handleProtocols } from "graphql-ws";
import type { ServerOptions } from "ws";
import { SOCKET_LIMITS } from "../config/limits.ts";

/** How long ws waits for the peer's close frame before it destroys the connection. */
const CLOSE_TIMEOUT_MS = 5000;

/** The last three options are missing in the types of ws. */
export const wsOptions: ServerOptions & { maxFragments: number; maxPendingAutoPongs: number; closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  // ws handles one message of a socket per turn of the event loop, although one read may bring hundreds.
  allowSynchronousEvents: false,
  maxPayload: SOCKET_LIMITS.messageBytes,
  perMessageDeflate: false,
  // An unknown subprotocol is accepted and then closed with 4406: a browser cannot see why an upgrade failed.
  handleProtocols: (offered) => handleProtocols(offered) || [...offered][0] || false,
  maxFragments: SOCKET_LIMITS.fragments,
  // 0: no limit. The token bucket of the socket ends a flood of pings.
  maxPendingAutoPongs: 0,
  closeTimeout: CLOSE_TIMEOUT_MS,
};

const closeCodes = new Map([
  ["WS_ERR_UNSUPPORTED_MESSAGE_LENGTH", 1009],
  ["WS_ERR_TOO_MANY_BUFFERED_PARTS", 1008],
  ["WS_ERR_INVALID_UTF8", 1007],
]);
const PROTOCOL_ERROR = 1002;

/** The close code that ws sent because of invalid input of the peer. Null: the network failed, and nothing was sent. */
export function closeCodeOf({ code }: Error & { code?: string }): number | null {
  if (!code?.startsWith("WS_ERR_")) return null;
  return closeCodes.get(code) ?? PROTOCOL_ERROR;
}
