// How fast a peer may send: a burst at first, such as all subscriptions of a page, and then so many a second. A record and
// a function, for each of ten thousand sockets has one.

export interface TokenBucket {
  /** Messages that may come at once. */
  tokens: number;
  /** When that was so, in milliseconds from anywhere. */
  updatedAt: number;
}

export interface TokenBucketLimits {
  burst: number;
  perSecond: number;
}

export function createTokenBucket({ burst }: TokenBucketLimits, now: number): TokenBucket {
  return { tokens: burst, updatedAt: now };
}

/** Counts a message; false where the peer is too fast. */
export function takeToken(pace: TokenBucket, { burst, perSecond }: TokenBucketLimits, now: number): boolean {
  pace.tokens = Math.min(burst, pace.tokens + ((now - pace.updatedAt) / 1000) * perSecond);
  pace.updatedAt = now;
  if (pace.tokens < 1) return false;
  pace.tokens -= 1;
  return true;
}
