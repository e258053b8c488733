// Slows background work down: each request waits for a token of a bucket.
import { setTimeout as pause } from "node:timers/promises";
import { SECOND_MS } from "../durations.ts";
import { createTokenBucket, takeToken, type TokenBucketLimits } from "./tokenBucket.ts";

/** Resolves when the next request may be sent. Rejects when the signal aborts. The wait keeps no process alive. */
export type Pacer = (signal: AbortSignal) => Promise<void>;

export function createPacer(limits: TokenBucketLimits): Pacer {
  const bucket = createTokenBucket(limits, performance.now());
  return async (signal) => {
    while (!takeToken(bucket, limits, performance.now())) {
      await pause(SECOND_MS / limits.perSecond, undefined, { signal, ref: false });
    }
  };
}
