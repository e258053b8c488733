// How ws reads frames, and what it closed a socket for by itself.
import { handleProtocols } from "graphql-ws";
import type { ServerOptions } from "ws";

const MESSAGE_LIMIT = 64 * 1024;
/** Until connection_ack: connection_init holds a token and little else. */
export const MESSAGE_LIMIT_BEFORE_ACK = 4 * 1024;
/** Frames of one message. An empty one is no byte nearer to the limit above, and costs a turn of the parser. */
const MOST_FRAGMENTS = 256;

/** How long a socket may take to hear why it is closed. */
const LAST_WORD_MS = 5000;

/** Three are newer than ws' types: a flood of pings is ended by our pace, with a code. */
export const settings: ServerOptions & { maxFragments: number; maxPendingAutoPongs: number; closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  // One message of a socket in a turn of the event loop: hundreds come in one read.
  allowSynchronousEvents: false,
  maxPayload: MESSAGE_LIMIT,
  maxFragments: MOST_FRAGMENTS,
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
  if (err.code === "WS_ERR_TOO_MANY_BUFFERED_PARTS") return 1008;
  return err.code === "WS_ERR_INVALID_UTF8" ? 1007 : 1002;
}
