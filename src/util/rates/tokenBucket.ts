// A token bucket limits how fast a peer may send: a burst, such as all subscriptions of a page, and then a rate per second. It is a
// plain record with functions, because each of ten thousand sockets has one.

export interface TokenBucket {
  /** Messages that the peer may send now. */
  tokens: number;
  /** When `tokens` was computed, in milliseconds of a monotonic clock. */
  updatedAt: number;
}

export interface TokenBucketLimits {
  burst: number;
  perSecond: number;
}

export function createTokenBucket({ burst }: TokenBucketLimits, now: number): TokenBucket {
  return { tokens: burst, updatedAt: now };
}

/** Takes a token for a message. False if the peer is too fast. */
export function takeToken(bucket: TokenBucket, { burst, perSecond }: TokenBucketLimits, now: number): boolean {
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.updatedAt) / 1000) * perSecond);
  bucket.updatedAt = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}
