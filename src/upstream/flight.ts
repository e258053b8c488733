// One request to the service that several askers may wait for. Each leaves by itself; when the last has left, the request
// is ended. One of them pays for what is sent: who cannot leaves with its own error, and the next is asked.
import type { Asker } from "./asker.ts";
import { tooLate } from "./failure.ts";
import type { Sending } from "./sending.ts";

export interface Flight<T> {
  /** Resolves with the flight's answer, unless this asker leaves before. */
  join(asker: Asker): Promise<T>;
  /** Ends it for all, with this reason. */
  end(reason: unknown): void;
}

interface Waiter {
  asker: Asker;
  leave(reason: unknown): void;
}

export interface FlightOptions<T> {
  timeoutMs: number;
  /** Asks the service; called once, when the first has joined. */
  start: (sending: Sending) => Promise<T>;
  /** It has landed, or nobody waits any more: nobody can join. */
  onOver: () => void;
}

export function createFlight<T>({ timeoutMs, start, onOver }: FlightOptions<T>): Flight<T> {
  const waiters = new Set<Waiter>();
  const ending = new AbortController();
  let landed: Promise<T> | undefined;

  function end(reason: unknown): void {
    onOver();
    ending.abort(reason);
  }

  /** The first that can pay does. */
  async function charge(): Promise<void> {
    for (const waiter of waiters) {
      try {
        await waiter.asker.beforeSend();
        waiter.asker.tally.requests += 1;
        return;
      } catch (error) {
        waiter.leave(error);
      }
    }
    ending.signal.throwIfAborted();
  }

  async function fly(): Promise<T> {
    const deadline = setTimeout(() => end(tooLate()), timeoutMs);
    const deadlineAt = performance.now() + timeoutMs;
    try {
      return await start({ signal: ending.signal, deadlineAt, sent: 0, beforeSend: charge });
    } finally {
      clearTimeout(deadline);
      onOver();
    }
  }

  return {
    end,
    join(asker) {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const waiter: Waiter = {
        asker,
        leave(reason) {
          if (!settle()) return;
          reject(reason);
          if (waiters.size === 0) end(reason);
        },
      };
      const onAbort = () => waiter.leave(asker.signal.reason);
      const settle = (): boolean => {
        asker.signal.removeEventListener("abort", onAbort);
        return waiters.delete(waiter);
      };
      waiters.add(waiter);
      asker.signal.addEventListener("abort", onAbort, { once: true });
      landed ??= fly();
      landed.then(
        (value) => settle() && resolve(value),
        (error: unknown) => settle() && reject(error as Error),
      );
      return promise;
    },
  };
}
