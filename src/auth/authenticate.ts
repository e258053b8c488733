// Credentials → a grant: the same for HTTP, server-sent events and WebSocket.
import { MINUTE_MS } from "../util/durations.ts";
import { createFixedWindow } from "../util/rates/fixedWindow.ts";
import type { MaybePromise } from "../util/maybePromise.ts";
import { lastingGrant, type Admit, type Authenticate, type Grant } from "./grant.ts";
import type { ReadToken } from "./jwt.ts";
import type { KeyRing } from "./keyRing.ts";
import type { RateLimits } from "./rateLimits.ts";
import type { Sessions } from "./sessions.ts";
import { scopes, type Scope } from "./scopes.ts";
import { unrestricted } from "./viewerPolicy.ts";

export interface Authorities {
  keys: KeyRing | null;
  readToken: ReadToken | null;
  sessions: Pick<Sessions, "find">;
}

/** AUTH=none: every request has every scope, with or without credentials. */
export function allowEveryone(): Authenticate {
  const grant = lastingGrant({ name: "anyone", scopes: new Set(scopes), ...unrestricted });
  return () => grant;
}

const CREDENTIALS = /^(Bearer|Session) +(\S+) *$/i;

/** Why credentials were not accepted, for their client. It says nothing of the keys that there are. */
export type CredentialFault = "missing" | "malformed" | "unknown";

export function credentialFault(authorization: string | undefined): CredentialFault {
  if (authorization === undefined) return "missing";
  return CREDENTIALS.test(authorization) ? "unknown" : "malformed";
}

/**
 * Accepts API keys and tokens. A token whose subject is the name of a key is refused, because idempotency keys and rate
 * limits belong to names.
 */
export function createAuthenticator({ keys, readToken, sessions }: Authorities): Authenticate {
  async function authenticateToken(token: string): Promise<Grant | null> {
    const grant = (await readToken?.(token)) ?? null;
    const name = grant?.viewer()?.name;
    return name === undefined || keys?.has(name) ? null : grant;
  }
  return (authorization) => {
    const [, scheme = "", credentials] = CREDENTIALS.exec(authorization ?? "") ?? [];
    if (credentials === undefined) return null;
    // server/sessionCookie.ts gives the cookie of a session this form, so that caches and limits are the same as for keys.
    if (scheme.toLowerCase() === "session") return sessions.find(credentials);
    return keys?.find(credentials) ?? authenticateToken(credentials);
  };
}

/** Addresses per minute. Beyond it they share one limit: an attack from many addresses must not cost memory for each. */
const MAX_ADDRESSES = 10_000;

/** Counts each failed or unchecked attempt for its address. */
export function createAdmission(
  authenticate: Authenticate,
  rateLimits: RateLimits,
  now = () => performance.now(),
): Admit {
  const addresses = new Set<string>();
  const minute = createFixedWindow(MINUTE_MS, now, () => addresses.clear());

  function limitKey(address: string): string {
    minute.leftMs();
    if (addresses.size < MAX_ADDRESSES) addresses.add(address);
    return addresses.has(address) ? `address ${address}` : "other addresses";
  }
  async function countFailure(address: string): Promise<null> {
    await rateLimits.consume(limitKey(address));
    return null;
  }
  async function countUnchecked(address: string, error: unknown): Promise<never> {
    await countFailure(address);
    throw error;
  }
  return (authorization, address): MaybePromise<Grant | null> => {
    const result = authenticate(authorization);
    if (!(result instanceof Promise)) return result ?? countFailure(address);
    return result.then(
      (grant) => grant ?? countFailure(address),
      (error: unknown) => countUnchecked(address, error),
    );
  };
}

/**
 * Whether a viewer has a scope now, by name: for recording addresses, which are used without credentials. A token's scopes
 * cannot be looked up by name.
 */
export type ScopeCheck = (viewer: string, scope: Scope) => boolean;

export const everyoneHolds: ScopeCheck = () => true;

export function createScopeCheck(keys: Pick<KeyRing, "byName"> | null): ScopeCheck {
  return (viewer, scope) => keys?.byName(viewer)?.scopes.has(scope) ?? false;
}
