// The end of a request before its answer: nobody waits for it any more, or its deadline has passed. An AbortSignal would do,
// but its listeners cost Node more than all else of a request; here one party listens at a time, who has the request now.

export interface Cancellation {
  isCancelled: boolean;
  /** What those who wait are told. */
  reason: unknown;
  /** Called once, when it is over. */
  listener: (() => void) | null;
}

export function createCancellation(): Cancellation {
  return { isCancelled: false, reason: undefined, listener: null };
}

/**
 * Who has the request now is told of its end, and nobody who had it before. Gives what stops that, and stops nobody else's: a
 * refusal's last bytes come while the request is asked again.
 */
export function onCancel(ending: Cancellation, listener: () => void): () => void {
  ending.listener = listener;
  return () => {
    if (ending.listener === listener) ending.listener = null;
  };
}

/** The first reason counts. */
export function cancel(ending: Cancellation, reason: unknown): void {
  if (ending.isCancelled) return;
  ending.isCancelled = true;
  ending.reason = reason;
  ending.listener?.();
}

export function throwIfCancelled({ isCancelled: isOver, reason }: Cancellation): void {
  if (isOver) throw reason;
}
