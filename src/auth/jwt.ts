// Verifies tokens (JWT) of an identity provider: signature by one of its published keys, issuer, audience and expiry.
import { errors, jwtVerify, type JWTPayload } from "jose";
import { CodedError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { grantUntil, type Grant } from "./grant.ts";
import { createJwksKeys } from "./jwksKeys.ts";
import { createLogAggregator } from "../util/logAggregator.ts";
import { isViewerName, scopes, type Scope, type Viewer } from "./scopes.ts";
import type { PolicyClaims, TokenPolicies } from "./tokenPolicies.ts";
import type { ViewerPolicy } from "./viewerPolicy.ts";

export interface TokenOptions {
  jwksUrl: string;
  issuer: string;
  audience: string;
  policies: TokenPolicies;
  log: Logger;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/** Null: the token is not valid. Rejects with UPSTREAM_UNAVAILABLE if it cannot be checked now. */
export type ReadToken = (token: string) => Promise<Grant | null>;

export interface TokenReader extends Disposable {
  read: ReadToken;
}

/** No HMAC algorithms: an attacker could use a published key as the shared secret. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** Tolerated difference of clocks. A stream ends this long after its token. */
const LEEWAY_S = 2;
const MAX_TOKEN_LENGTH = 8192;
const LOG_EVERY_MS = 60_000;

export function createTokenReader({ jwksUrl, issuer, audience, policies, ...options }: TokenOptions): TokenReader {
  const keys = createJwksKeys({ url: jwksUrl, ...options });
  const rules = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: LEEWAY_S,
    requiredClaims: ["exp", "sub"],
  };
  /** One Set per combination of scopes: caches keyed by the Set then work across tokens. */
  const scopeSets = new Map<string, ReadonlySet<Scope>>();
  function scopeSetOf(granted: readonly Scope[]): ReadonlySet<Scope> {
    const key = granted.join();
    const set = scopeSets.get(key) ?? new Set(granted);
    scopeSets.set(key, set);
    return set;
  }

  const refusals = createLogAggregator(
    (causes) => options.log.warn({ causes }, "tokens were refused, because their policy cannot be read"),
    { intervalMs: LOG_EVERY_MS, reportsFirstAtOnce: true },
  );

  function grantOf({ sub, exp, ...claims }: JWTPayload): Grant | null {
    if (typeof sub !== "string" || !isViewerName(sub) || typeof exp !== "number") return null;
    const policyClaims = policies.read(claims);
    if ("reason" in policyClaims) {
      refusals.add(policyClaims.reason);
      return null;
    }
    const endsAt = (exp + LEEWAY_S) * 1000;
    const holder = { name: sub, scopes: scopeSetOf(scopesOf(claims)), tokenEndsAt: endsAt };
    return grantUntil(endsAt, grantByPolicy(holder, policies, policyClaims));
  }

  async function verify(token: string): Promise<JWTPayload> {
    try {
      return (await jwtVerify(token, keys.find, rules)).payload;
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyByAny(token, error);
      throw error;
    }
  }
  /** A token without `kid` may match two keys, while the provider replaces its key. */
  async function verifyByAny(token: string, candidates: errors.JWKSMultipleMatchingKeys): Promise<JWTPayload> {
    for await (const key of candidates) {
      try {
        return (await jwtVerify(token, key, rules)).payload;
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }

  return {
    async read(token) {
      if (token.length > MAX_TOKEN_LENGTH || token.split(".").length !== 3) return null;
      try {
        return grantOf(await verify(token));
      } catch (error) {
        if (error instanceof CodedError) throw error;
        if (isTokenFault(error)) return null;
        throw keys.unavailable(`a key that cannot be used: ${(error as Error).name}`);
      }
    },
    [Symbol.dispose]() {
      refusals[Symbol.dispose]();
      keys[Symbol.dispose]();
    },
  };
}

/** True: the token is invalid. False: the provider published a key that cannot be used. */
function isTokenFault(error: unknown): boolean {
  return error instanceof errors.JOSEError && !(error instanceof errors.JWKSInvalid);
}

/** The policy of the viewer is the one of the current file. */
function grantByPolicy(holder: Omit<Viewer, keyof ViewerPolicy>, policies: TokenPolicies, claims: PolicyClaims): Grant {
  let version = policies.version();
  let viewer: Viewer = { ...holder, ...policies.policyOf(claims) };
  return {
    viewer() {
      if (version !== policies.version()) {
        version = policies.version();
        viewer = { ...holder, ...policies.policyOf(claims) };
      }
      return viewer;
    },
    onChange: (listener) => policies.onChange(listener),
  };
}

/** In the order of `scopes`. `scope` is a text with spaces (RFC 8693); some providers use `scp`, a text or a list. */
function scopesOf({ scope, scp }: Record<string, unknown>): Scope[] {
  const words = [scope, scp].flatMap((claim) => (typeof claim === "string" ? claim.split(" ") : claim));
  return scopes.filter((known) => words.includes(known));
}
