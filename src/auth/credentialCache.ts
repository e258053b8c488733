// Caches the grant of a connection's last credentials for a minute: hashing an API key costs a tenth of a small query, and
// verifying a token much more. Each request still asks the grant whether it is valid.
import { timingSafeEqual } from "node:crypto";
import { andThen, type MaybePromise } from "../util/maybePromise.ts";
import type { Admit, Grant } from "./grant.ts";

/** Admit for a request that arrived over this connection. */
export type AdmitRequest = (
  authorization: string | undefined,
  address: string,
  connection: object,
) => MaybePromise<Grant | null>;

/** The last admitted request of a connection. */
interface CachedCredentials {
  credentials: Buffer;
  /** A buffer for the credentials of the next request. */
  candidate: Buffer;
  address: string;
  grant: Grant;
  /** Milliseconds of performance.now(). */
  expiresAt: number;
}

const TTL_MS = 60_000;

/** Compares in constant time, because a connection from a proxy serves many callers. Entries end with their connection. */
export function cacheCredentials(admit: Admit, now = () => performance.now()): AdmitRequest {
  const connections = new WeakMap<object, CachedCredentials>();

  function matches(cached: CachedCredentials, authorization: string, address: string): boolean {
    const { credentials, candidate } = cached;
    if (authorization.length !== candidate.length || address !== cached.address || now() >= cached.expiresAt)
      return false;
    candidate.write(authorization, "latin1");
    return timingSafeEqual(credentials, candidate) && cached.grant.viewer() !== null;
  }
  return (authorization, address, connection) => {
    if (authorization === undefined) return admit(authorization, address);
    const cached = connections.get(connection);
    if (cached && matches(cached, authorization, address)) return cached.grant;
    return andThen(admit(authorization, address), (grant) => {
      if (!grant) return null;
      // Not Buffer.from: it takes small buffers from a pool, whose whole slab would stay in memory.
      const [credentials, candidate] = [Buffer.alloc(authorization.length), Buffer.alloc(authorization.length)];
      credentials.write(authorization, "latin1");
      connections.set(connection, { credentials, candidate, address, grant, expiresAt: now() + TTL_MS });
      return grant;
    });
  };
}
