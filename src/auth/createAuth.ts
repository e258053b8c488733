// Creates authentication and its limits from the configuration: open to everyone, or for holders of keys and tokens.
import type { AuthConfig } from "../config/config.ts";
import type { Logger } from "../logger.ts";
import {
  allowEveryone,
  createAuthenticator,
  createAdmission,
  everyoneHolds,
  createScopeCheck,
  type ScopeCheck,
} from "./authenticate.ts";
import type { Admit } from "./grant.ts";
import type { Viewer } from "./scopes.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import type { Signer } from "../util/hmac.ts";
import { createFloodLog, noFloodLog, reportFailures, reportRefusals, type FloodLog } from "./floodLog.ts";
import { openKeyRing } from "./keyRing.ts";
import { createRateLimits, noRateLimits, type RateLimits } from "./rateLimits.ts";
import { createFailureLimit, noFailureLimit, type FailureLimit } from "./failureLimit.ts";
import { createSharedRateLimits, type TakePoints } from "./sharedRateLimits.ts";
import { openTokenPolicies } from "./tokenPolicies.ts";
import { createCombinePolicies } from "./viewerPolicy.ts";

export interface Auth extends AsyncDisposable {
  admit: Admit;
  /** Counts requests to the service. */
  requestLimits: RateLimits;
  /** Counts the rows of the database that operations read. */
  rowLimits: RateLimits;
  /** Counts the rows of the service's lists that operations process. */
  listRowLimits: RateLimits;
  /** Counts refused requests, up to RATE_LIMIT and separately from it. */
  failureLimit: FailureLimit;
  /** Names viewers that are refused. The limits above report to it by themselves. */
  floodLog: Pick<FloodLog, "refused">;
  holdsScope: ScopeCheck;
  /** The viewer whose key has this name now. Null: there is none. */
  viewerOfKey: (name: string) => Viewer | null;
  /** The viewers of all keys now. */
  keys: () => readonly Viewer[];
  /** Calls the listener after each change of API_KEYS_FILE. Returns a function that unsubscribes. */
  onKeysChange: (listener: () => void) => () => void;
  /** A text that changes with TOKEN_POLICY_FILE; the same on all gateways. */
  policyVersion: () => string;
  /** Null: everyone is admitted. */
  sessions: Sessions | null;
}

/** How gateways share their limits. */
export interface SharedPoints {
  /** Null: there is one gateway, which counts in its memory. */
  createTakePoints: ((perMinute: number) => TakePoints) | null;
}

export interface AuthOptions {
  auth: AuthConfig;
  /** Requests to the service per viewer and minute. */
  rateLimit: number;
  /** Rows of the database that the operations of a viewer may read per minute. */
  logRateLimit: number;
  /** Rows of the service's lists that the operations of a viewer may process per minute, in this process. */
  listRateLimit: number;
}

export interface AuthDeps {
  points: SharedPoints;
  /** Signs sessions. */
  signer: Signer;
  clock: () => number;
  log: Logger;
}

/** Throws an Error of one line while API_KEYS_FILE or TOKEN_POLICY_FILE cannot be read, and a FinalError if its content is wrong. */
export async function createAuth(
  { auth, rateLimit, logRateLimit, listRateLimit }: AuthOptions,
  { points, signer, clock, log }: AuthDeps,
): Promise<Auth> {
  await using parts = new AsyncDisposableStack();
  const withDispose = (members: Omit<Auth, keyof AsyncDisposable>): Auth => {
    const owned = parts.move();
    return { ...members, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  };
  if (auth.kind === "open") {
    const admit = createAdmission(allowEveryone(), noRateLimits);
    return withDispose({
      admit,
      requestLimits: noRateLimits,
      rowLimits: noRateLimits,
      listRowLimits: noRateLimits,
      failureLimit: noFailureLimit,
      floodLog: noFloodLog,
      holdsScope: everyoneHolds,
      viewerOfKey: () => null,
      keys: () => [],
      onKeysChange: () => () => undefined,
      policyVersion: () => "",
      sessions: null,
    });
  }
  const createLimits = (perMinute: number): RateLimits => {
    const take = points.createTakePoints?.(perMinute);
    return take ? createSharedRateLimits({ perMinute, takePoints: take, log }) : createRateLimits(perMinute);
  };
  const rates = createLimits(rateLimit);
  const floodLog = parts.use(createFloodLog(log));
  const combine = createCombinePolicies();
  const keys = auth.keysFile === null ? null : parts.use(await openKeyRing({ file: auth.keysFile, combine, log }));
  const policies = parts.use(
    await openTokenPolicies(auth.tokens?.policyFile ?? null, { combine, issuer: auth.tokens?.issuer, log }),
  );
  // Loaded only with an identity provider: most gateways use keys only.
  const tokens =
    auth.tokens && parts.use((await import("./jwt.ts")).createTokenReader({ ...auth.tokens, policies, log }));
  const sessions = createSessions(keys, signer, clock, { policies, combine });
  const admit = createAdmission(createAuthenticator({ keys, readToken: tokens?.read ?? null, sessions }), rates);
  return withDispose({
    admit,
    requestLimits: reportRefusals(rates, floodLog),
    rowLimits: reportRefusals(createLimits(logRateLimit), floodLog),
    listRowLimits: reportRefusals(createRateLimits(listRateLimit), floodLog),
    failureLimit: reportFailures(createFailureLimit(rateLimit), floodLog),
    floodLog,
    holdsScope: createScopeCheck(keys),
    viewerOfKey: (name) => keys?.byName(name) ?? null,
    keys: () => keys?.all() ?? [],
    onKeysChange: (listener) => keys?.onChange(listener) ?? (() => undefined),
    policyVersion: policies.version,
    sessions,
  });
}
