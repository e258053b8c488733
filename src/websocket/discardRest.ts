// Ends a connection whose peer was told why, and may still be sending: cut at once, the peer might not hear the reason.
import type { Duplex } from "node:stream";

/** More than what is on its way when an honest peer is told to stop. */
const MOST_DISCARDED = 1024 * 1024;

/** Drops what still comes without parsing it, and disconnects a peer that does not stop. */
export function discardRest(stream: Duplex): void {
  let left = MOST_DISCARDED;
  stream.removeAllListeners("data").on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) stream.destroy();
  });
  stream.resume().end();
}
