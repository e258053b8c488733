// What a caller may cause in a minute, counted in requests to the service; here in this process's memory (sharedRateLimits.ts:
// over all gateways).
import { createRequire } from "node:module";
import type * as Flexible from "rate-limiter-flexible";
import { CodedError } from "../errors.ts";
import type { MaybePromise } from "../util/maybePromise.ts";
import type { Authenticate, Grant } from "./grant.ts";

// One of its limiters: the whole would bring those over a dozen databases.
const load = createRequire(import.meta.url);
const RateLimiterMemory = load("rate-limiter-flexible/lib/RateLimiterMemory.js") as typeof Flexible.RateLimiterMemory;
const RateLimiterRes = load("rate-limiter-flexible/lib/RateLimiterRes.js") as typeof Flexible.RateLimiterRes;

export interface RateLimits {
  /** Counts so many, or one, for the caller; throws RATE_LIMITED, with the seconds until there is room again, beyond the limit. */
  consume(caller: string, points?: number): Promise<void>;
}

/** Where everyone is let in nobody is told apart, and nobody is counted. */
export const noRateLimits: RateLimits = { consume: () => Promise.resolve() };

export function createRateLimits(perMinute: number): RateLimits {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return {
    async consume(caller, points = 1) {
      try {
        await limiter.consume(caller, points);
      } catch (spent) {
        if (!(spent instanceof RateLimiterRes)) throw spent;
        throw rateLimited(spent.msBeforeNext);
      }
    },
  };
}

/** `ms`: until there is room again. */
export function rateLimited(ms: number): CodedError {
  const retryAfter = Math.max(1, Math.ceil(ms / 1000));
  return new CodedError("RATE_LIMITED", "Too much was asked within a minute.", { retryAfter });
}

/** Viewers pay for what they ask of the service. */
export const requestLimitKey = (viewer: { name: string }): string => `viewer ${viewer.name}`;
/** And, apart from it, for what they read of the database. */
export const rowLimitKey = (viewer: { name: string }): string => `rows ${viewer.name}`;
/** Creating tasks is counted apart, so that neither starves the other. */
export function limitTaskCreation<Input, Result>(
  rates: RateLimits,
  create: (viewer: string, input: Input) => Promise<Result>,
) {
  return async (viewer: string, input: Input): Promise<Result> => {
    await rates.consume(`creator ${viewer}`);
    return create(viewer, input);
  };
}

/** As Authenticate, from an address: it pays for each try that fails or cannot be judged, and rejects with RATE_LIMITED. */
export type Admit = (authorization: string | undefined, address: string) => MaybePromise<Grant | null>;

/** In a minute; beyond it they pay as one: an attack of many addresses must not cost memory, or a query, for each of them. */
const MOST_ADDRESSES = 10_000;
const MINUTE_MS = 60_000;

export function createAdmission(authenticate: Authenticate, rates: RateLimits, now = () => performance.now()): Admit {
  const seen = new Set<string>();
  let endsAt = now() + MINUTE_MS;

  function payerOf(address: string): string {
    if (now() >= endsAt) {
      seen.clear();
      endsAt = now() + MINUTE_MS;
    }
    if (seen.size < MOST_ADDRESSES) seen.add(address);
    return seen.has(address) ? `address ${address}` : "other addresses";
  }
  async function pay(address: string): Promise<null> {
    await rates.consume(payerOf(address));
    return null;
  }
  async function payUnjudged(address: string, error: unknown): Promise<never> {
    await pay(address);
    throw error;
  }
  return (authorization, address) => {
    const judged = authenticate(authorization);
    if (!(judged instanceof Promise)) return judged ?? pay(address);
    return judged.then(
      (grant) => grant ?? pay(address),
      (error: unknown) => payUnjudged(address, error),
    );
  };
}
