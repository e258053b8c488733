// The public keys of the identity provider: fetched when a token needs them, kept while they cannot be fetched again, and
// asked for no more often than the cool-down allows, whatever tokens are shown.
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from "jose";
import { CodedError } from "../errors.ts";
import type { Log } from "../log.ts";
import { createLogAggregator } from "../util/logAggregator.ts";

export interface JwksKeys extends Disposable {
  /**
   * The key that a token names. Throws jose's JWKSNoMatchingKey where the provider has no such key, and UPSTREAM_UNAVAILABLE
   * where that cannot be known because the keys cannot be fetched.
   */
  find: JWTVerifyGetKey;
  /** What a token is refused with that cannot be judged; `cause` is counted for the operator. */
  unavailable(cause: string): CodedError;
}

export interface JwksKeysOptions {
  url: string;
  log: Log;
  /** Milliseconds, from anywhere. */
  now?: () => number;
}

/** A key that the provider takes back is refused after so long. */
export const KEY_TTL_MS = 600_000;
/** From the end of one request to the provider to the next. */
export const FETCH_COOLDOWN_MS = 10_000;
const TIMEOUT_MS = 5000;
const LOG_EVERY_MS = 60_000;

export function createJwksKeys({ url, log, now = () => performance.now() }: JwksKeysOptions): JwksKeys {
  // It asks the provider only when it is told to, and keeps the last keys where that fails.
  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_MS,
    cacheMaxAge: Infinity,
    cooldownDuration: Infinity,
  });
  const failures = createLogAggregator(
    (causes) =>
      log.warn({ causes }, "the identity provider's keys cannot be used: the last ones go on, if there are any"),
    { intervalMs: LOG_EVERY_MS, reportsFirstAtOnce: true },
  );
  let hasKeys = false;
  let isFailing = false;
  let freshUntil = -Infinity;
  let nextFetchAt = -Infinity;
  let fetching: Promise<void> | null = null;

  async function fetchKeys(): Promise<void> {
    try {
      await keys.reload();
      [hasKeys, isFailing, freshUntil] = [true, false, now() + KEY_TTL_MS];
    } catch (error) {
      isFailing = true;
      failures.add(causeOf(error));
    }
    nextFetchAt = now() + FETCH_COOLDOWN_MS;
    fetching = null;
  }
  /** Does nothing during the cool-down. A call during a request waits for that request. */
  function refresh(): Promise<void> {
    if (fetching || now() >= nextFetchAt) return (fetching ??= fetchKeys());
    return Promise.resolve();
  }
  async function refreshStale(): Promise<void> {
    if (now() < freshUntil) return;
    const refreshed = refresh();
    // While the provider fails, its last keys go on, and nobody waits for the request that finds out whether it still does.
    if (!hasKeys || !isFailing) await refreshed;
  }
  function unavailable(cause: string): CodedError {
    failures.add(cause);
    const retryAfter = Math.max(1, Math.ceil((nextFetchAt - now()) / 1000));
    const message = "The identity provider cannot be reached, so the token cannot be checked. Try again later.";
    return new CodedError("UPSTREAM_UNAVAILABLE", message, { retryAfter });
  }

  return {
    async find(header, token) {
      await refreshStale();
      if (!hasKeys) throw unavailable(NOT_JUDGED);
      try {
        return await keys(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
      await refresh();
      return keys(header, token).catch((error: unknown) => {
        throw isFailing && error instanceof errors.JWKSNoMatchingKey ? unavailable(NOT_JUDGED) : error;
      });
    },
    unavailable,
    [Symbol.dispose]: () => failures[Symbol.dispose](),
  };
}

const NOT_JUDGED = "tokens that could not be checked";

/** A few words: what jose says itself, or the code of what happened on the way to the provider. */
function causeOf(error: unknown): string {
  if (error instanceof errors.JOSEError) return error.message;
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? name;
}
