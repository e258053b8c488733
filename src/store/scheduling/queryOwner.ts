// The owner of database reads: one request of a client, or one event of its subscription. Fair queues use its name, and its
// signal cancels its reads.

export interface QueryOwner {
  /** The viewer's name. All reads of one viewer share that viewer's turn in a queue. */
  name: string;
  /** Aborted when nobody waits for the results any more. */
  signal: AbortSignal;
  /** Runs a query once per owner and key. A document may ask for the same data under many aliases. */
  once<T>(key: readonly unknown[], query: () => Promise<T>): Promise<T>;
}

/** Called when an execution reads the database for the first time. */
export type QueryOwnerOf = (signal: AbortSignal) => QueryOwner;

export function createQueryOwner(name: string, signal: AbortSignal = new AbortController().signal): QueryOwner {
  const results = new Map<string, Promise<unknown>>();
  return {
    name,
    signal,
    once<T>(key: readonly unknown[], query: () => Promise<T>) {
      const text = JSON.stringify(key);
      const known = results.get(text) as Promise<T> | undefined;
      const result = known ?? query();
      results.set(text, result);
      return result;
    },
  };
}

/** An owner without permission to read: every query rejects with this error. */
export function createRefusedOwner(name: string, refusal: Error): QueryOwner {
  return { name, signal: AbortSignal.abort(refusal), once: () => Promise.reject(refusal) };
}

export const queryOwnerFor =
  ({ name }: { name: string }): QueryOwnerOf =>
  (signal) =>
    createQueryOwner(name, signal);
