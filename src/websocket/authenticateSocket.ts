// Checks the credentials of a WebSocket's connection_init: returns a grant, or the reason to close the socket.
import { hash } from "node:crypto";
import type { Admit, Grant } from "../auth/grant.ts";
import { CodedError } from "../errors.ts";
import type { Log } from "../log.ts";
import { refusals, type SocketRefusal } from "./closeReasons.ts";

/** Never rejects. */
export type SocketAuthenticator = (
  authorization: string | undefined,
  address: string,
) => Promise<{ grant: Grant } | { refusal: SocketRefusal }>;

export function createSocketAuthenticator({ admit, log }: { admit: Admit; log: Log }): SocketAuthenticator {
  const isRepeated = createRepeatedCredentials();

  function refusalOf(error: unknown): SocketRefusal {
    if (error instanceof CodedError)
      return error.code === "RATE_LIMITED" ? refusals.tooManyAttempts : refusals.providerUnavailable;
    log.error({ err: error }, "the credentials of a WebSocket could not be checked");
    return refusals.failed;
  }
  return async (authorization, address) => {
    try {
      const grant = await admit(authorization, address);
      if (grant) return { grant };
      if (authorization === undefined) return { refusal: refusals.missing };
      return { refusal: isRepeated(authorization, address) ? refusals.repeated : refusals.wrong };
    } catch (error) {
      return { refusal: refusalOf(error) };
    }
  };
}

/** Counts one more refusal of the credentials. True: this address showed them MAX_ATTEMPTS times within the hour. */
export type IsRepeated = (authorization: string, address: string) => boolean;

/** As many attempts as a graphql-ws client makes by default: the first one and five retries. */
export const MAX_ATTEMPTS = 6;
const WINDOW_MS = 3_600_000;
/** Beyond it, more credentials are not counted within the hour, and their clients may go on trying. */
const MAX_REMEMBERED = 10_000;

/** Detects clients that retry refused credentials for ever. Keeps digests, and one window for all of them. */
export function createRepeatedCredentials(now = () => performance.now()): IsRepeated {
  const attempts = new Map<string, number>();
  let endsAt = now() + WINDOW_MS;

  return (authorization, address) => {
    if (now() >= endsAt) {
      attempts.clear();
      endsAt = now() + WINDOW_MS;
    }
    const key = `${hash("sha256", authorization, "base64")} ${address}`;
    const count = (attempts.get(key) ?? 0) + 1;
    if (count > 1 || attempts.size < MAX_REMEMBERED) attempts.set(key, count);
    return count >= MAX_ATTEMPTS;
  };
}
