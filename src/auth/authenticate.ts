// Credentials → viewer, the same for HTTP, server-sent events and WebSocket.
import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiKey } from "./apiKeys.ts";
import { scopes, type Viewer } from "./scopes.ts";

/** Takes the value of an Authorization header (or of connection_init's `authorization`); null: nobody we know. */
export type Authenticate = (authorization: string | undefined) => Viewer | null;

/** Every viewer, with or without credentials, has every scope. */
export function allowEveryone(): Authenticate {
  const viewer: Viewer = { name: "anyone", scopes: new Set(scopes) };
  return () => viewer;
}

export function allowKeys(keys: readonly ApiKey[]): Authenticate {
  const entries = keys.map((key) => ({
    digest: Buffer.from(key.sha256, "hex"),
    viewer: { name: key.name, scopes: new Set(key.scopes) } satisfies Viewer,
  }));
  return (authorization) => {
    const presented = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
    if (presented === undefined) return null;
    const digest = createHash("sha256").update(presented).digest();
    let found: Viewer | null = null;
    // All are compared, whichever fits: the time taken tells nothing.
    for (const entry of entries) if (timingSafeEqual(entry.digest, digest)) found = entry.viewer;
    return found;
  };
}
