import { CodedError } from "../errors.ts";

/** Turns any database error into STORE_UNAVAILABLE with the error as its cause. Errors with a code stay as they are. */
export function storeError(cause: unknown): CodedError {
  if (cause instanceof CodedError) return cause;
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

/** Runs a query. Throws STORE_UNAVAILABLE if it fails. */
export async function guarded<T>(query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (cause) {
    throw storeError(cause);
  }
}
