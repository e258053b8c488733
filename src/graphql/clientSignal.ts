// Tells whether the client of a request has disconnected.
import type { ServerResponse } from "node:http";

/** Returns a signal that aborts when nobody waits for the response any more. Created at the first call: few requests need it. */
export type ClientSignal = () => AbortSignal;

/** Aborts when the connection closes before the response was sent. */
export function clientSignalOf(response: ServerResponse): ClientSignal {
  let signal: AbortSignal | undefined;
  return () => (signal ??= disconnectSignal(response));
}

function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.destroyed) onClose();
  else response.on("close", onClose);
  return controller.signal;
}

/** For an execution that no client can end. */
export const neverAborts: ClientSignal = () => new AbortController().signal;
