// Whoever waits for an answer of the service: one request of a client, or one event of its subscription. The asker says
// when nobody waits any more, pays for what is sent for it, and is told what its questions cost.

export interface Asker {
  /** Aborted when nobody waits for the answer any more: what only this asker waited for is ended at once. */
  signal: AbortSignal;
  /**
   * Called before each request that is sent for this asker, retries too; what it throws is this asker's answer, and
   * nothing is sent for it. An answer that is shared or kept costs nothing, so it is not called then.
   */
  beforeSend(): void | Promise<void>;
  /** Whether only an answer will do that was asked for after the question was: none that is kept, none under way. */
  fresh: boolean;
  /** Counted up as answers come in. */
  tally: UpstreamTally;
  /** The questions it waits for now, and since when it waits for any (waitingTime.ts). */
  waiting: { count: number; since: number };
}

export interface UpstreamTally {
  /** Requests sent to the service, retries too. */
  requests: number;
  /** Questions answered by a request that another asker had begun. */
  shared: number;
  /** Questions answered from what is kept (UPSTREAM_CACHE_MS). */
  cached: number;
  /** How long the asker waited for the service; what it waited for at the same time counts once. */
  milliseconds: number;
}

export function createAsker(own: Partial<Pick<Asker, "signal" | "beforeSend" | "fresh">> = {}): Asker {
  return {
    signal: own.signal ?? new AbortController().signal,
    beforeSend: own.beforeSend ?? (() => undefined),
    fresh: own.fresh ?? false,
    tally: { requests: 0, shared: 0, cached: 0, milliseconds: 0 },
    waiting: { count: 0, since: 0 },
  };
}
