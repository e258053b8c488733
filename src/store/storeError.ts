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

/** PostgreSQL: a value that it cannot hold, a constraint, a limit, or a trigger that refuses. */
const REFUSING_STATES = /^(22|23|54)[0-9A-Z]{3}$|^P0001$/;
/** SQLite: TOOBIG, CONSTRAINT and MISMATCH (sqlite.org/rescode.html). */
const REFUSING_CODES: readonly unknown[] = [18, 19, 20];

/**
 * The code with which the database refuses a value, so that a repetition fails the same way. Null: another failure, such as a
 * database that is away or full. The message of the failure may quote the value; the code does not.
 */
export function refusalCodeOf(error: unknown): string | null {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown };
  if (typeof code === "string" && REFUSING_STATES.test(code)) return `SQLSTATE ${code}`;
  if (typeof code === "number" && REFUSING_CODES.includes(code & 0xff)) return `SQLite ${code}`;
  return cause === undefined ? null : refusalCodeOf(cause);
}

export const isRefusal = (error: unknown): boolean => refusalCodeOf(error) !== null;

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
