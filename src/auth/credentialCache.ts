// Credentials that a connection showed before are not examined again for a minute: a key's digest costs a tenth of a small
// query, and a token's signature many times as much. Whether they still hold is asked each time.
import { timingSafeEqual } from "node:crypto";
import { andThen, type MaybePromise } from "../util/maybePromise.ts";
import type { Grant } from "./grant.ts";
import type { Admit } from "./rateLimits.ts";

/** As Admit, of a request that came over this connection. */
export type AdmitRequest = (
  authorization: string | undefined,
  address: string,
  connection: object,
) => MaybePromise<Grant | null>;

/** Of the last request that was let in. */
interface Shown {
  credentials: Buffer;
  /** Room for those of the next. */
  given: Buffer;
  address: string;
  grant: Grant;
  until: number;
}

const KEPT_MS = 60_000;

/** Compared in constant time, for behind a proxy a connection is many callers'. Gone with the connection. */
export function cacheCredentials(admit: Admit, now = () => performance.now()): AdmitRequest {
  const connections = new WeakMap<object, Shown>();

  function isShownAgain(shown: Shown, authorization: string, address: string): boolean {
    const { credentials, given } = shown;
    if (authorization.length !== given.length || address !== shown.address || now() >= shown.until) return false;
    given.write(authorization, "latin1");
    return timingSafeEqual(credentials, given) && shown.grant.viewer() !== null;
  }
  return (authorization, address, connection) => {
    if (authorization === undefined) return admit(authorization, address);
    const shown = connections.get(connection);
    if (shown && isShownAgain(shown, authorization, address)) return shown.grant;
    return andThen(admit(authorization, address), (grant) => {
      if (!grant) return null;
      // Of their own: Buffer.from cuts a small one out of a slab, which would be kept with it.
      const [credentials, given] = [Buffer.alloc(authorization.length), Buffer.alloc(authorization.length)];
      credentials.write(authorization, "latin1");
      connections.set(connection, { credentials, given, address, grant, until: now() + KEPT_MS });
      return grant;
    });
  };
}
