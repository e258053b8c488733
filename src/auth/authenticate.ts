// Credentials → a grant, the same for HTTP, server-sent events and WebSocket.
import { lastingGrant, type Authenticate } from "./grant.ts";
import type { KeyRing } from "./keyRing.ts";
import { scopes } from "./scopes.ts";
import type { ReadToken } from "./tokens.ts";

export interface Authorities {
  keys: KeyRing | null;
  readToken: ReadToken | null;
}

/** Every viewer, with or without credentials, has every scope. */
export function allowEveryone(): Authenticate {
  const grant = lastingGrant({ name: "anyone", scopes: new Set(scopes) });
  return () => Promise.resolve(grant);
}

/**
 * By a key, else by a token. A token whose subject is called like a key is refused: idempotency keys and rates belong to
 * names, and nobody may take another's.
 */
export function allowKnown({ keys, readToken }: Authorities): Authenticate {
  return async (authorization) => {
    const presented = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
    if (presented === undefined) return null;
    const byKey = keys?.find(presented);
    if (byKey) return byKey;
    const byToken = (await readToken?.(presented)) ?? null;
    const name = byToken?.viewer()?.name;
    return name === undefined || keys?.has(name) ? null : byToken;
  };
}
