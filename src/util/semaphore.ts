// Limits how many tasks run at the same time. The others wait in the order in which they came, and can stop waiting.

/** Registers a callback that ends the wait with a reason. Returns the function that removes the callback. */
export type OnAbort = (abort: (reason: unknown) => void) => () => void;

/** A wait that ends with the signal. Check the signal before. */
export const abortedBy =
  (signal: AbortSignal): OnAbort =>
  (abort) => {
    const listener = () => abort(signal.reason);
    signal.addEventListener("abort", listener, { once: true });
    return () => signal.removeEventListener("abort", listener);
  };

export interface Semaphore {
  /** Takes a permit if one is free, without a promise. */
  tryAcquire(): boolean;
  /** Resolves with a permit. Rejects with the reason of an abort, and then no permit is taken. */
  acquire(onAbort?: OnAbort): Promise<void>;
  /** Passes the permit to the task that has waited longest. Call it once for each permit. */
  release(): void;
  /** Runs the work with a permit, and returns the permit however the work ends. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Permits in use. */
  inUse(): number;
  /** Tasks that wait for a permit. */
  waiting(): number;
}

export type Mutex = Pick<Semaphore, "acquire" | "release">;

/** A lock for one task at a time. */
export function createMutex(): Mutex {
  return createSemaphore(1);
}

export function createSemaphore(permits: number): Semaphore {
  /** Callbacks that start the waiting tasks, by ticket. Tickets count up, so every operation takes constant time. */
  const queue = new Map<number, () => void>();
  let firstTicket = 0;
  let nextTicket = 0;
  let inUse = 0;

  function tryAcquire(): boolean {
    if (inUse >= permits) return false;
    inUse += 1;
    return true;
  }
  function wait(onAbort?: OnAbort): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const ticket = nextTicket;
    nextTicket += 1;
    const removeCallback = onAbort?.((reason) => {
      if (queue.delete(ticket)) reject(reason);
    });
    queue.set(ticket, () => {
      removeCallback?.();
      resolve();
    });
    return promise;
  }
  function release(): void {
    while (firstTicket < nextTicket) {
      const start = queue.get(firstTicket);
      queue.delete(firstTicket);
      firstTicket += 1;
      if (start) return start();
    }
    inUse -= 1;
  }
  return {
    tryAcquire,
    acquire: (onAbort) => (tryAcquire() ? Promise.resolve() : wait(onAbort)),
    release,
    async run(work) {
      if (!tryAcquire()) await wait();
      try {
        return await work();
      } finally {
        release();
      }
    },
    inUse: () => inUse,
    waiting: () => queue.size,
  };
}
