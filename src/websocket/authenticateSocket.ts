// Judges the credentials of a WebSocket's connection_init: a grant, or why there is none.
import type { Grant } from "../auth/grant.ts";
import type { Admit } from "../auth/rateLimits.ts";
import { CodedError } from "../errors.ts";
import type { Log } from "../log.ts";
import { createRepeatedCredentials } from "./repeatedCredentials.ts";
import { refusals, type SocketRefusal } from "./closeReasons.ts";

/** Never rejects. */
export type SocketAuthenticator = (
  authorization: string | undefined,
  address: string,
) => Promise<{ grant: Grant } | { refusal: SocketRefusal }>;

export function createSocketAuthenticator({ admit, log }: { admit: Admit; log: Log }): SocketAuthenticator {
  const isRepeated = createRepeatedCredentials();

  function refusalOf(error: unknown): SocketRefusal {
    if (error instanceof CodedError) return error.code === "RATE_LIMITED" ? refusals.tooManyTries : refusals.notJudged;
    log.error({ err: error }, "a WebSocket could not be admitted");
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
