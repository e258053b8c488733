// Checks the credentials of a WebSocket's connection_init: returns a grant, or the reason to close the socket.
import { hash } from "node:crypto";
import { credentialFault } from "../auth/authenticate.ts";
import type { Admit, Grant } from "../auth/grant.ts";
import { CodedError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { refusals, type SocketRefusal } from "./closeReasons.ts";

/** `isElsewhere`: the client showed credentials where none are read. Never rejects. */
export type SocketAuthenticator = (
  authorization: string | undefined,
  address: string,
  isElsewhere: boolean,
) => Promise<{ grant: Grant } | { refusal: SocketRefusal }>;

export function createSocketAuthenticator({ admit, log }: { admit: Admit; log: Logger }): SocketAuthenticator {
  const isRepeated = createRepeatedCredentials();

  function refusalOf(error: unknown): SocketRefusal {
    if (error instanceof CodedError)
      return error.code === "RATE_LIMITED" ? refusals.tooManyAttempts : refusals.providerUnavailable;
    log.error({ err: error }, "the credentials of a WebSocket could not be checked");
    return refusals.failed;
  }
  return async (authorization, address, isElsewhere) => {
    try {
      const grant = await admit(authorization, address);
      if (grant) return { grant };
      if (authorization === undefined) return { refusal: isElsewhere ? refusals.misplaced : refusals.missing };
      if (isRepeated(authorization, address)) return { refusal: refusals.repeated };
      return { refusal: refusals[credentialFault(authorization)] };
    } catch (error) {
      return { refusal: refusalOf(error) };
    }
  };
}

/** Members in which clients of other servers put a key (test/corpus/connectionParams.ts). */
const KEY_NAMES =
  /^((proxy-)?authori[sz]ation|auth|bearer|jwt|(x[-_])?(auth|access|bearer|jwt|id|session)?[-_]?token|(x[-_])?api[-_]?key|x-hasura-(admin-secret|access-key))$/i;
/** Members that hold others. */
const HOLDERS = /^(headers|http|options|context|extensions|payload|connectionParams|auth|authori[sz]ation)$/i;
const MAX_DEPTH = 3;

/** Undefined where none is given. Given twice, or as no text, it is "", which nothing accepts: no session may stand in for it. */
export function authorizationOf(connectionParams: unknown): string | undefined {
  const { authorization, Authorization } = (connectionParams ?? {}) as Record<string, unknown>;
  if (authorization != null && Authorization != null) return "";
  const value = authorization ?? Authorization ?? undefined;
  return value === undefined || typeof value === "string" ? value : "";
}

/** Whether a member that is not read carries a credential. */
export function showsKeyElsewhere(connectionParams: unknown, depth = 0): boolean {
  if (typeof connectionParams !== "object" || connectionParams === null || depth > MAX_DEPTH) return false;
  return membersOf(connectionParams).some(
    ([name, value]) =>
      (KEY_NAMES.test(name) && isKey(value)) || (HOLDERS.test(name) && showsKeyElsewhere(value, depth + 1)),
  );
}

/** Headers may also be a list of pairs, as `fetch` takes them. */
function membersOf(holder: object): [string, unknown][] {
  if (!Array.isArray(holder)) return Object.entries(holder);
  return holder.flatMap((pair): [string, unknown][] => (Array.isArray(pair) ? [[String(pair[0]), pair[1]]] : []));
}

/** Not the word that a client puts where it has no key: `Bearer undefined`. */
const isKey = (value: unknown) =>
  typeof value === "string" &&
  !/^(?:(?:Bearer|Token|Basic|JWT)\b\s*)?(?:undefined|null|false|\[object Object\])?$/i.test(value.trim());

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
