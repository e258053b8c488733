// Cancels a request to the service: its last caller has left, or its deadline has passed. It replaces AbortSignal on this hot
// path, because adding and removing an AbortSignal listener costs more than all other work on a request.

export interface Cancellation {
  isCancelled: boolean;
  /** What the callers' promises reject with. */
  reason: unknown;
  /** Called once, on cancellation. There is one listener at a time: the layer that holds the request. */
  listener: (() => void) | null;
}

export function createCancellation(): Cancellation {
  return { isCancelled: false, reason: undefined, listener: null };
}

/**
 * Replaces the listener. Returns a function that removes this listener, and no later one: the last bytes of a failed
 * response may arrive while the request is retried.
 */
export function onCancel(cancellation: Cancellation, listener: () => void): () => void {
  cancellation.listener = listener;
  return () => {
    if (cancellation.listener === listener) cancellation.listener = null;
  };
}

/** Only the first call has an effect. */
export function cancel(cancellation: Cancellation, reason: unknown): void {
  if (cancellation.isCancelled) return;
  cancellation.isCancelled = true;
  cancellation.reason = reason;
  cancellation.listener?.();
}

export function throwIfCancelled({ isCancelled, reason }: Cancellation): void {
  if (isCancelled) throw reason;
}
