// Describes failed connections to addresses that people named. A message of Node or a library may hold that address, with its secrets.
import { AddressError } from "./publicLookup.ts";

/** The code of an error, such as ` (ECONNREFUSED)`. Empty: it has none. */
export function codeSuffix(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? ` (${code})` : "";
}

/** `late`: the text for a deadline. `unreachable`: for all else, without its full stop. */
export function failureText(error: unknown, { late, unreachable }: { late: string; unreachable: string }): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AddressError) return cause.message;
  return (error as Error).name === "TimeoutError" ? late : `${unreachable}${codeSuffix(error)}.`;
}
