// The value of `authorization`: a text, or what the caller's function returns.
import { SwitchboardError } from "../switchboardError.ts";
import type { ClientOptions } from "../types.ts";

/** A value that the gateway refused. */
export interface Refused {
  value: string | undefined;
}

/**
 * The value to send now. After a refusal it must be another one: otherwise UNAUTHENTICATED is thrown. Throws
 * AUTHORIZATION_FAILED if the caller's function throws.
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
    return await authorization(refused);
  } catch (cause) {
    const message = `authorization failed: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new SwitchboardError("AUTHORIZATION_FAILED", message, { retryable: true, cause });
  }
}
