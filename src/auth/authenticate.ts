// Credentials → a grant, the same for HTTP, server-sent events and WebSocket.
import { lastingGrant, type Authenticate, type Grant } from "./grant.ts";
import type { KeyRing } from "./keyRing.ts";
import { scopes } from "./scopes.ts";
import type { ReadToken } from "./jwt.ts";

export interface Authorities {
  keys: KeyRing | null;
  readToken: ReadToken | null;
}

/** Every viewer, with or without credentials, has every scope. */
export function allowEveryone(): Authenticate {
  const grant = lastingGrant({ name: "anyone", scopes: new Set(scopes) });
  return () => grant;
}

/**
 * By a key, else by a token. A token whose subject is called like a key is refused: idempotency keys and rates belong to
 * names, and nobody may take another's.
 */
export function allowKnown({ keys, readToken }: Authorities): Authenticate {
  async function byToken(presented: string): Promise<Grant | null> {
    const grant = (await readToken?.(presented)) ?? null;
    const name = grant?.viewer()?.name;
    return name === undefined || keys?.has(name) ? null : grant;
  }
  return (authorization) => {
    const presented = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
    return presented === undefined ? null : (keys?.find(presented) ?? byToken(presented));
  };
}
