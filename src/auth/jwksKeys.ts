// The public keys of the identity provider. They are fetched when a token needs them, at most once per cooldown, and stay in
// use while the provider cannot be reached.
import { createLocalJWKSet, createRemoteJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { CodedError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { mayAnswerLater } from "../util/start/httpStatus.ts";
import { createLogAggregator } from "../util/logAggregator.ts";
import { FinalError } from "../util/start/finalError.ts";

export interface JwksKeys extends Disposable {
  /**
   * The key that a token names. Rejects with jose's JWKSNoMatchingKey if the provider has no such key, and with
   * UPSTREAM_UNAVAILABLE if the keys cannot be fetched.
   */
  find: JWTVerifyGetKey;
  /** The error for a token that cannot be checked. Logs `cause` with a count. */
  unavailable(cause: string): CodedError;
}

export interface JwksKeysOptions {
  url: string;
  log: Logger;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/** How long fetched keys are fresh. A revoked key stays in use for this long, or until the provider can be reached again. */
export const KEY_TTL_MS = 600_000;
/** From the end of one request to the provider to the start of the next. */
export const FETCH_COOLDOWN_MS = 10_000;
const TIMEOUT_MS = 5000;
const LOG_EVERY_MS = 60_000;

export function createJwksKeys({ url, log, now = () => performance.now() }: JwksKeysOptions): JwksKeys {
  // jose fetches only on `reload`, and keeps the last keys if that fails.
  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_MS,
    cacheMaxAge: Infinity,
    cooldownDuration: Infinity,
  });
  const failures = createLogAggregator(
    (causes) =>
      log.warn({ causes }, "the keys of the identity provider cannot be fetched or used; the last ones stay in use"),
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
  /** Does nothing during the cooldown. A call during a fetch waits for that fetch. */
  function refresh(): Promise<void> {
    if (fetching || now() >= nextFetchAt) return (fetching ??= fetchKeys());
    return Promise.resolve();
  }
  async function refreshStale(): Promise<void> {
    if (now() < freshUntil) return;
    const refreshed = refresh();
    // While the provider fails, tokens are checked with the last keys, and do not wait for the next attempt.
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
      if (!hasKeys) throw unavailable(UNCHECKED_TOKENS);
      try {
        return await keys(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
      await refresh();
      return keys(header, token).catch((error: unknown) => {
        throw isFailing && error instanceof errors.JWKSNoMatchingKey ? unavailable(UNCHECKED_TOKENS) : error;
      });
    },
    unavailable,
    [Symbol.dispose]: () => failures[Symbol.dispose](),
  };
}

const UNCHECKED_TOKENS = "tokens that could not be checked";

/** A short text for the log: the message of a jose error, or the code of a network error. */
function causeOf(error: unknown): string {
  if (error instanceof errors.JOSEError) return error.message;
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? name;
}

/**
 * The number of keys that the provider publishes. Throws an Error if it does not answer now, and a FinalError if the address is not that
 * of keys.
 */
export async function countPublishedKeys(url: string): Promise<number> {
  const options = { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "manual" as const };
  const [status, text] = await fetch(url, options)
    .then(async (answer) => [answer.status, await answer.text()] as const)
    .catch((error: unknown) => {
      throw new Error("JWT_JWKS_URL does not answer", { cause: error });
    });
  if (mayAnswerLater(status)) throw new Error(`JWT_JWKS_URL answered with HTTP ${status}`);
  if (status !== 200) throw new FinalError(`JWT_JWKS_URL answered with HTTP ${status}`);
  try {
    const keys = JSON.parse(text) as JSONWebKeySet;
    createLocalJWKSet(keys);
    return keys.keys.length;
  } catch {
    throw new FinalError("JWT_JWKS_URL answers with no JSON Web Key Set");
  }
}
