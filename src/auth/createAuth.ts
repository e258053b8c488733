// Who may come in, as the configuration has it: everyone, or the holders of keys and tokens.
import type { AuthConfig } from "../config/config.ts";
import type { Log } from "../log.ts";
import { allowEveryone, allowKnown } from "./authenticate.ts";
import { everyoneHolds, keysHold, type HoldsScope } from "./holdsScope.ts";
import { openKeyRing } from "./keyRing.ts";
import { createAdmission, createRateLimits, noRateLimits, type Admit, type RateLimits } from "./rateLimits.ts";
import { createFailureLimit, noFailureLimit, type FailureLimit } from "./failureLimit.ts";
import { createSharedRateLimits, type TakePoints } from "./sharedRateLimits.ts";

export interface Auth extends AsyncDisposable {
  admit: Admit;
  requestLimits: RateLimits;
  /** Of rows of the database, which operations read. */
  rowLimits: RateLimits;
  /** Of requests that were refused: as many as RATE_LIMIT, and apart from it. */
  failureLimit: FailureLimit;
  holdsScope: HoldsScope;
}

/** What gateways share of rates. */
export interface SharedPoints {
  /** Null where there is one gateway, which counts for itself. */
  createTakePoints: ((perMinute: number) => TakePoints) | null;
}

export interface AuthOptions {
  auth: AuthConfig;
  /** Requests to the service that one viewer may cause in a minute. */
  rateLimit: number;
  /** Rows of the database that one viewer's operations may read in a minute. */
  logRateLimit: number;
}

/** Throws an Error of one line where the file of keys cannot be used. */
export async function createAuth(
  { auth, rateLimit, logRateLimit }: AuthOptions,
  points: SharedPoints,
  log: Log,
): Promise<Auth> {
  await using parts = new AsyncDisposableStack();
  const running = (own: Omit<Auth, keyof AsyncDisposable>): Auth => {
    const held = parts.move();
    return { ...own, [Symbol.asyncDispose]: () => held.disposeAsync() };
  };
  if (auth.kind === "open") {
    const admit = createAdmission(allowEveryone(), noRateLimits);
    return running({
      admit,
      requestLimits: noRateLimits,
      rowLimits: noRateLimits,
      failureLimit: noFailureLimit,
      holdsScope: everyoneHolds,
    });
  }
  const ratesOf = (perMinute: number): RateLimits => {
    const take = points.createTakePoints?.(perMinute);
    return take ? createSharedRateLimits({ perMinute, takePoints: take, log }) : createRateLimits(perMinute);
  };
  const rates = ratesOf(rateLimit);
  const keys = auth.keysFile === null ? null : parts.use(await openKeyRing({ file: auth.keysFile, log }));
  // Loaded where there is an identity provider: most gateways know keys only.
  const tokens = auth.tokens && parts.use((await import("./jwt.ts")).createTokenReader({ ...auth.tokens, log }));
  const admit = createAdmission(allowKnown({ keys, readToken: tokens?.read ?? null }), rates);
  return running({
    admit,
    requestLimits: rates,
    rowLimits: ratesOf(logRateLimit),
    failureLimit: createFailureLimit(rateLimit),
    holdsScope: keysHold(keys),
  });
}
