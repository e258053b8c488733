// Whoever the database is read for: one request of a client, or one event of its subscription.

export interface QueryOwner {
  /** Readers of one name take one turn together, and readers of different names take turns with each other. */
  name: string;
  /** Aborted when nobody waits for the answers any more. */
  signal: AbortSignal;
  /** Asks, or gives what was answered to the same question of this reader: a document may ask a thing under many aliases. */
  once<T>(question: readonly unknown[], ask: () => Promise<T>): Promise<T>;
}

/** Made when an execution first reads. */
export type QueryOwnerOf = (signal: AbortSignal) => QueryOwner;

export function createQueryOwner(name: string, signal: AbortSignal = new AbortController().signal): QueryOwner {
  const answers = new Map<string, Promise<unknown>>();
  return {
    name,
    signal,
    once<T>(question: readonly unknown[], ask: () => Promise<T>) {
      const key = JSON.stringify(question);
      const known = answers.get(key) as Promise<T> | undefined;
      const answer = known ?? ask();
      answers.set(key, answer);
      return answer;
    },
  };
}

/** One who may read nothing more for now: each question of it is refused with this error. */
export function createRefusedOwner(name: string, refusal: Error): QueryOwner {
  return { name, signal: AbortSignal.abort(refusal), once: () => Promise.reject(refusal) };
}
