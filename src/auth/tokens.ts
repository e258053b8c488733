// Tokens of an identity provider (JWT): signed by one of its published keys, for this gateway, and not past their time.
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from "jose";
import type { Log } from "../log.ts";
import type { Grant } from "./grant.ts";
import { isViewerName, scopes, type Scope, type Viewer } from "./scopes.ts";

export interface TokenOptions {
  jwksUrl: string;
  issuer: string;
  audience: string;
  log: Log;
}

export type ReadToken = (token: string) => Promise<Grant | null>;

/** Public keys only: with a shared secret among them, a published key could be taken for one. */
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
/** How far clocks may be apart. A stream ends so long after its token. */
const LEEWAY_S = 2;
const LONGEST_TOKEN = 8192;
/** The longest that setTimeout can wait. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** The provider's keys are fetched when first needed, kept for ten minutes, and asked for anew at most every 30 s. */
export function createTokenReader({ jwksUrl, issuer, audience, log }: TokenOptions): ReadToken {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 5000 });
  const rules = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: LEEWAY_S,
    requiredClaims: ["exp", "sub"],
  };
  /** One for each combination there is: what was found out for a set of scopes holds for the next token with the same. */
  const sets = new Map<string, ReadonlySet<Scope>>();
  function setOf(granted: readonly Scope[]): ReadonlySet<Scope> {
    const key = granted.join();
    const set = sets.get(key) ?? new Set(granted);
    sets.set(key, set);
    return set;
  }

  return async (token) => {
    if (token.length > LONGEST_TOKEN || token.split(".").length !== 3) return null;
    try {
      const { payload } = await jwtVerify(token, keys, rules);
      return grantOf(payload, setOf);
    } catch (error) {
      if (!isVerdict(error)) log.warn({ err: error }, "the keys of the identity provider cannot be had");
      return null;
    }
  };
}

/** What the token itself is to blame for; all else is the provider, or the way to it. */
function isVerdict(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  return error instanceof errors.JOSEError && error.code !== "ERR_JOSE_GENERIC";
}

function grantOf(
  { sub, exp, ...claims }: JWTPayload,
  setOf: (granted: readonly Scope[]) => ReadonlySet<Scope>,
): Grant | null {
  if (typeof sub !== "string" || !isViewerName(sub) || typeof exp !== "number") return null;
  const endsAt = (exp + LEEWAY_S) * 1000;
  const viewer: Viewer = { name: sub, scopes: setOf(scopesOf(claims)), tokenEndsAt: endsAt };
  return {
    viewer: () => (Date.now() < endsAt ? viewer : null),
    onChange(listener) {
      let timer = setTimeout(look, Math.min(endsAt - Date.now(), LONGEST_WAIT_MS));
      function look(): void {
        const left = endsAt - Date.now();
        if (left <= 0) listener();
        else timer = setTimeout(look, Math.min(left, LONGEST_WAIT_MS));
      }
      return () => clearTimeout(timer);
    },
  };
}

/** In our own order. `scope` is a text with spaces (RFC 8693); `scp`, a text or a list, is what some providers write instead. */
function scopesOf({ scope, scp }: Record<string, unknown>): Scope[] {
  const words = [scope, scp].flatMap((claim) => (typeof claim === "string" ? claim.split(" ") : claim));
  return scopes.filter((known) => words.includes(known));
}
