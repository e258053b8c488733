// Tokens of an identity provider (JWT): signed by one of its published keys, for this gateway, and not past their time.
import { errors, jwtVerify, type JWTPayload } from "jose";
import { CodedError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Grant } from "./grant.ts";
import { createJwksKeys } from "./jwksKeys.ts";
import { isViewerName, scopes, type Scope, type Viewer } from "./scopes.ts";

export interface TokenOptions {
  jwksUrl: string;
  issuer: string;
  audience: string;
  log: Log;
  /** Milliseconds, from anywhere. */
  now?: () => number;
}

/** Null: the token is not good. Rejects with UPSTREAM_UNAVAILABLE where that cannot be known now. */
export type ReadToken = (token: string) => Promise<Grant | null>;

export interface TokenReader extends Disposable {
  read: ReadToken;
}

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

export function createTokenReader({ jwksUrl, issuer, audience, ...options }: TokenOptions): TokenReader {
  const keys = createJwksKeys({ url: jwksUrl, ...options });
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

  async function verify(token: string): Promise<JWTPayload> {
    try {
      return (await jwtVerify(token, keys.find, rules)).payload;
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyByAny(token, error);
      throw error;
    }
  }
  /** A token need not name its key: while the provider changes its own, there are two. */
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
      if (token.length > LONGEST_TOKEN || token.split(".").length !== 3) return null;
      try {
        return grantOf(await verify(token), setOf);
      } catch (error) {
        if (error instanceof CodedError) throw error;
        if (isVerdict(error)) return null;
        throw keys.unavailable(`a key that cannot be used: ${(error as Error).name}`);
      }
    },
    [Symbol.dispose]: () => keys[Symbol.dispose](),
  };
}

/** What the token itself is to blame for. All else is the provider, which published a key that cannot be used. */
function isVerdict(error: unknown): boolean {
  return error instanceof errors.JOSEError && !(error instanceof errors.JWKSInvalid);
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
