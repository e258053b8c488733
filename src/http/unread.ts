// Gives up an answer that nobody reads. Before it has begun it is its asker who waits: a task is created in as long as the
// service takes, which an operator may allow more time than this.
import type { ServerResponse } from "node:http";

const STALLED_MS = 60_000;

/** The same once it is whole: most answers are taken at once, and leave nothing to give up. */
export function giveUpUntaken(response: ServerResponse, stalledMs = STALLED_MS): void {
  if (response.writableLength > 0) giveUpUnread(response, stalledMs);
}

/** Cuts the connection where it has been still for so long since the answer began. */
export function giveUpUnread(response: ServerResponse, stalledMs = STALLED_MS): void {
  // With a listener, node:http cuts nothing by itself; the time runs anew from the next byte.
  response.setTimeout(stalledMs, () => {
    if (response.headersSent) response.destroy();
  });
}
