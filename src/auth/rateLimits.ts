// Limits per caller and minute, counted in the memory of this process. sharedRateLimits.ts counts over all gateways.
import { createRequire } from "node:module";
import type * as Flexible from "rate-limiter-flexible";
import { CodedError } from "../errors.ts";

// The README of rate-limiter-flexible documents this import of a single limiter. The main entry would load limiters for a
// dozen databases.
const RateLimiterMemory = createRequire(import.meta.url)(
  "rate-limiter-flexible/lib/RateLimiterMemory.js",
) as typeof Flexible.RateLimiterMemory;

export interface RateLimits {
  /** Takes points (1 by default) from the caller's minute. Rejects with RATE_LIMITED and `retryAfter` if too few are left. */
  consume(caller: string, points?: number): Promise<void>;
}

/** For a gateway without authentication, where callers cannot be told apart. */
export const noRateLimits: RateLimits = { consume: () => Promise.resolve() };

export function createRateLimits(perMinute: number): RateLimits {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return {
    async consume(caller, points = 1) {
      try {
        await limiter.consume(caller, points);
      } catch (rejection) {
        throw isLimiterResult(rejection) ? rateLimited(rejection.msBeforeNext) : rejection;
      }
    },
  };
}

/** The limiter rejects with its result, which is not an Error, if too few points are left. */
function isLimiterResult(rejection: unknown): rejection is Flexible.RateLimiterRes {
  return typeof rejection === "object" && rejection !== null && "msBeforeNext" in rejection;
}

/** `ms`: milliseconds until the caller has points again. */
export function rateLimited(ms: number): CodedError {
  const retryAfter = Math.max(1, Math.ceil(ms / 1000));
  return new CodedError("RATE_LIMITED", "The limit of requests per minute is reached.", { retryAfter });
}

/** Counts a viewer's requests to the service. */
export const requestLimitKey = (viewer: { name: string }): string => `viewer ${viewer.name}`;
/** Counts the rows of the database that a viewer's operations read. */
export const rowLimitKey = (viewer: { name: string }): string => `rows ${viewer.name}`;

/** Limits the tasks that a viewer creates, with points of their own: reads do not use up the limit of creations. */
export function limitTaskCreation<Input, Result>(
  rateLimits: RateLimits,
  create: (viewer: string, input: Input) => Promise<Result>,
) {
  return async (viewer: string, input: Input): Promise<Result> => {
    await rateLimits.consume(`creator ${viewer}`);
    return create(viewer, input);
  };
}
