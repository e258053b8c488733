import { CodedError } from "../errors.ts";

/** Whatever a database throws, as the one error that the rest of the gateway knows: STORE_UNAVAILABLE. */
export function storeError(cause: unknown): CodedError {
  if (cause instanceof CodedError) return cause;
  return new CodedError("STORE_UNAVAILABLE", "The event log's database cannot be read or written now.", {
    cause,
    retryAfter: RETRY_AFTER_S,
  });
}

/** Seconds; what a sender of webhooks is told as well. */
export const RETRY_AFTER_S = 1;

/** Runs a query, and makes its failure a STORE_UNAVAILABLE. */
export async function guarded<T>(query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (cause) {
    throw storeError(cause);
  }
}
