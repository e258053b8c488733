// The value of `authorization`: a text, or what the caller's function returns.
import { messageOf } from "./answerErrors.ts";
import { createScope, runInScope } from "../scope.ts";
import { SwitchboardError } from "../switchboardError.ts";
import type { ClientOptions } from "../types.ts";

/** A value that the gateway refused. */
export interface Refused {
  value: string | undefined;
}

/** Less than the silence after which a stream is given up, so that the reason is told. */
const TIMEOUT_MS = 20_000;

/**
 * The value to send now. After a refusal it must be another one: otherwise UNAUTHENTICATED is thrown. Throws
 * AUTHORIZATION_FAILED if the caller's function throws or does not answer.
 */
export type AskCredentials = (refused?: Refused | null) => Promise<string | undefined>;

export function createCredentials(authorization: ClientOptions["authorization"]): AskCredentials {
  return async (refused) => {
    const value = typeof authorization === "function" ? await call(authorization, refused?.value) : authorization;
    if (refused && refused.value === value)
      throw new SwitchboardError("UNAUTHENTICATED", "The gateway refused the credentials.");
    return value;
  };
}

async function call(
  authorization: (refused?: string) => string | undefined | Promise<string | undefined>,
  refused: string | undefined,
): Promise<string | undefined> {
  try {
    return await runInScope(createScope(), () => authorization(refused), TIMEOUT_MS);
  } catch (cause) {
    const message = `authorization failed: ${messageOf(cause)}`;
    throw new SwitchboardError("AUTHORIZATION_FAILED", message, { retryable: true, cause });
  }
}
