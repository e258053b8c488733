// Describes failed connections to addresses that people named. A message of Node or a library may hold that address, with its secrets.
import { AddressError } from "./publicLookup.ts";

const UNKNOWN_AUTHORITY = "its certificate is of an authority that this machine does not know, or lacks one between";

/** What people can do something about, by the code of Node. */
const REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet, or the clock of this machine is wrong",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself alone",
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: "it does not speak HTTP/1.1",
};

/** The code of an error, such as ` (ECONNREFUSED)` or `: its certificate has expired (CERT_HAS_EXPIRED)`. Empty: it has none. */
export function codeSuffix(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== "string" || !/^[A-Z][A-Z0-9_]{2,50}$/.test(code)) return "";
  const reason = REASONS[code];
  return `${reason === undefined ? "" : `: ${reason}`} (${code})`;
}

/** `late`: the text for a deadline. `unreachable`: for all else, without its full stop. */
export function failureText(error: unknown, { late, unreachable }: { late: string; unreachable: string }): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AddressError) return cause.message;
  return (error as Error).name === "TimeoutError" ? late : `${unreachable}${codeSuffix(error)}.`;
}
