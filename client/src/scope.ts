// Scopes end work, and what waits for it, when the caller, the client or a timeout says so.
import { networkError } from "./http/answerErrors.ts";

export interface Scope {
  signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Lets go of the parent and of the siblings without an abort. */
  release(): void;
}

/**
 * Ends with the parent. `siblings` holds the scope until its end, so that their owner can end them all: Node 20 takes more than
 * ten listeners of one signal for a leak.
 */
export function createScope(parent?: AbortSignal, siblings?: Set<Scope>): Scope {
  const controller = new AbortController();
  const onAbort = () => scope.abort(parent?.reason);
  const scope: Scope = {
    signal: controller.signal,
    abort(reason) {
      scope.release();
      controller.abort(reason);
    },
    release() {
      siblings?.delete(scope);
      parent?.removeEventListener("abort", onAbort);
    },
  };
  siblings?.add(scope);
  if (parent?.aborted) onAbort();
  else parent?.addEventListener("abort", onAbort);
  return scope;
}

/**
 * Runs the work in the scope, for `ms` milliseconds at most. Rejects with the reason of the signal as soon as it is aborted,
 * also if the work does not notice.
 */
export async function runInScope<T>(
  { signal, abort, release }: Scope,
  work: (signal: AbortSignal) => T | Promise<T>,
  ms?: number,
): Promise<T> {
  const timer = ms && setTimeout(() => abort(networkError("There was no answer in time.")), ms);
  try {
    return await new Promise((resolve, reject) => {
      signal.throwIfAborted();
      signal.addEventListener("abort", () => reject(signal.reason));
      Promise.resolve(work(signal)).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    release();
  }
}
