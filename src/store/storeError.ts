import { CodedError } from "../errors.ts";

/**
 * Turns any database error into STORE_UNAVAILABLE with the error as its cause. Errors with a code stay as they are, and so does
 * the AbortError of a read whose client has left.
 */
export function storeError(cause: unknown): Error {
  if (cause instanceof CodedError || (cause instanceof Error && cause.name === "AbortError")) return cause;
  return new CodedError(
    "STORE_UNAVAILABLE",
    "The event log's database cannot be read or written now. Try again later.",
    {
      cause,
      retryAfter: RETRY_AFTER_S,
    },
  );
}

/** Seconds until another try, for clients and for the sender of webhooks. */
export const RETRY_AFTER_S = 1;

/** Runs a query. Throws STORE_UNAVAILABLE if it fails, and the AbortError if its client has left. */
export async function guarded<T>(query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (cause) {
    throw storeError(cause);
  }
}
