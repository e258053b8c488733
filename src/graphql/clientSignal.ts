// Whoever asked for an answer, and may leave before it is there.
import type { ServerResponse } from "node:http";

/** Aborts when nobody waits for the answer any more. Made for the first who asks: most that needs no waiting never does. */
export type ClientSignal = () => AbortSignal;

/** Of a client that leaves before its answer is whole. */
export function clientSignalOf(response: ServerResponse): ClientSignal {
  let left: AbortSignal | undefined;
  return () => (left ??= leftSignal(response));
}

function leftSignal(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  const look = () => {
    if (!response.writableFinished) left.abort();
  };
  if (response.destroyed) look();
  else response.on("close", look);
  return left.signal;
}
