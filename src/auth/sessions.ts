// Sessions of browsers, whose EventSource cannot send a key. The text of a session is signed, says which key or token it was opened
// with, and holds neither. The gateways of a database share the signing key, so each accepts the sessions of the others.
import { SESSION_LIMITS } from "../config/limits.ts";
import type { Signer } from "../util/hmac.ts";
import { grantUntil, type Grant } from "./grant.ts";
import type { KeyRing } from "./keyRing.ts";
import { scopes, type Scope, type Viewer } from "./scopes.ts";
import type { TokenPolicies } from "./tokenPolicies.ts";
import type { CombinePolicies, ViewerPolicy } from "./viewerPolicy.ts";

export interface Session {
  text: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

export interface Sessions {
  /** Opens a session for credentials that were accepted just now. Null: they have ended meanwhile. */
  open(grant: Grant): Session | null;
  /**
   * Null: the text is not a session, it has expired, or its key was removed or replaced. The grant ends with the session, and
   * with its key or token.
   */
  find(text: string): Grant | null;
}

/** What a session holds. `key`: a keyed digest of the key's digest. The rest is of a token, which ends with the session. */
type Content = { name: string; expiresAt: number } & ({ key: string } | TokenContent);

/** `policies`: the version of TOKEN_POLICY_FILE. The groups of a token are not kept, so the session ends when the file changes. */
interface TokenContent extends ViewerPolicy {
  scopes: string[];
  policies: string;
}

const PURPOSE = "session";

export function createSessions(
  keys: Pick<KeyRing, "entryOf" | "has"> | null,
  signer: Signer,
  clock: () => number,
  { policies, combine }: { policies: Pick<TokenPolicies, "version" | "onChange">; combine: CombinePolicies },
): Sessions {
  const fingerprintOf = (sha256: string) => signer.digest("session key", sha256);

  function contentOf({ name, tokenEndsAt, scopes: granted, limits, access }: Viewer): Content | null {
    const latest = clock() + SESSION_LIMITS.maxAgeMs;
    if (tokenEndsAt !== undefined) {
      const expiresAt = Math.min(tokenEndsAt, latest);
      return { name, expiresAt, scopes: [...granted], limits, access, policies: policies.version() };
    }
    const entry = keys?.entryOf(name);
    return entry ? { name, expiresAt: latest, key: fingerprintOf(entry.sha256) } : null;
  }
  function grantOf(content: Content): Grant | null {
    const { name, expiresAt } = content;
    if (clock() >= expiresAt) return null;
    if ("key" in content) {
      const entry = keys?.entryOf(name);
      return entry && fingerprintOf(entry.sha256) === content.key ? grantUntil(expiresAt, entry.grant, clock) : null;
    }
    // A key may have got the name of the token's subject since.
    if (keys?.has(name)) return null;
    const granted: ReadonlySet<Scope> = new Set(scopes.filter((scope) => content.scopes.includes(scope)));
    const { limits, access } = content;
    // Sessions of older versions have no policy.
    if (limits === undefined || access === undefined || content.policies !== policies.version()) return null;
    const policy = combine([{ limits: limits ?? undefined, access: access ?? undefined }]);
    const viewer: Viewer = { name, scopes: granted, ...policy, tokenEndsAt: expiresAt };
    const grant: Grant = {
      viewer: () => (content.policies === policies.version() ? viewer : null),
      onChange: (listener) => policies.onChange(listener),
    };
    return grantUntil(expiresAt, grant, clock);
  }

  return {
    open(grant) {
      const viewer = grant.viewer();
      const content = viewer && contentOf(viewer);
      if (!content) return null;
      const payload = Buffer.from(JSON.stringify(content)).toString("base64url");
      return { text: signer.sign(PURPOSE, payload), expiresAt: content.expiresAt };
    },
    find(text) {
      const payload = signer.verify(PURPOSE, text);
      return payload === null ? null : grantOf(JSON.parse(Buffer.from(payload, "base64url").toString()) as Content);
    },
  };
}
