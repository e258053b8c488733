// How ws reads frames, and what it closed a socket for by itself.
import { handleProtocols } from "graphql-ws";
import type { ServerOptions } from "ws";

const MESSAGE_LIMIT = 64 * 1024;

/** How long a socket may take to hear why it is closed. */
const LAST_WORD_MS = 5000;

/** Two are newer than ws' types: a flood of pings is ended by our pace, with a code. */
export const settings: ServerOptions & { maxPendingAutoPongs: number; closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  maxPayload: MESSAGE_LIMIT,
  perMessageDeflate: false,
  // One that is not ours is taken too, only to be closed with 4406: a client hears no word of an upgrade that failed.
  handleProtocols: (offered) => handleProtocols(offered) || [...offered][0] || false,
  maxPendingAutoPongs: 0,
  closeTimeout: LAST_WORD_MS,
};

/** What ws closed its socket with, where it was for what the peer sent; null: the network broke. */
export function codeOf(err: Error & { code?: string }): number | null {
  if (!err.code?.startsWith("WS_ERR_")) return null;
  if (err.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") return 1009;
  return err.code === "WS_ERR_INVALID_UTF8" ? 1007 : 1002;
}
