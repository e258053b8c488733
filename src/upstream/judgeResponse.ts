// Judges an answer of the service: its JSON, or the error that its status or body stands for. The document names no
// status but 200 (section 7), so what the others mean is HTTP's.
import { isTextDeeperThan } from "../format/jsonDepth.ts";
import { CodedError } from "../errors.ts";

export interface ServiceResponse {
  status: number;
  /** The header as it came. */
  retryAfter: string | undefined;
  /** The service's clock: its Date header as it came. */
  date?: string | undefined;
  /** The body of a 2xx; empty for any other status. */
  text: string;
}

/** The document's shapes have five. */
const MOST_LEVELS = 32;
/** In characters: so short an answer is not too many objects, however deeply it is nested. */
const SHORT = 64 * 1024;
/** An hour: what is longer is more likely a mistake than a plan. */
const LONGEST_WAIT_S = 3600;

/** The body of a 2xx, parsed by `parse`. Throws UPSTREAM_* for any other status, and UPSTREAM_CONTRACT for no JSON. */
export function parseBody({ status, retryAfter, text }: ServiceResponse, parse: (text: string) => unknown): unknown {
  if (status < 200 || status > 299) throw refusalOf(status, retryAfter);
  if (text.length > SHORT && isTextDeeperThan(MOST_LEVELS, text))
    throw contractError("The service's answer is nested too deeply.");
  try {
    return parse(text);
  } catch {
    // Without a cause: a parser's message quotes the text.
    throw contractError("The service's answer is no JSON.");
  }
}

/** An answer that is not what the document says; the message names fields, never values. */
export function contractError(message: string): CodedError {
  return new CodedError("UPSTREAM_CONTRACT", message);
}

/** Seconds from a Retry-After in seconds or as an HTTP date; from 0 to 3600, undefined where there is none. */
export function retryAfterSeconds(header: string | undefined): number | undefined {
  const seconds = secondsOf(header ?? "");
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), LONGEST_WAIT_S);
}

function secondsOf(header: string): number {
  if (/^\d+$/.test(header)) return Number(header);
  // Date.parse alone would make a date of "3.5".
  return header.endsWith(" GMT") ? Math.ceil((Date.parse(header) - Date.now()) / 1000) : Number.NaN;
}

function refusalOf(status: number, header: string | undefined): CodedError {
  if (status === 429) {
    const retryAfter = retryAfterSeconds(header);
    return new CodedError(
      "UPSTREAM_RATE_LIMITED",
      "The service takes no more requests for now.",
      retryAfter === undefined ? {} : { retryAfter },
    );
  }
  if (status >= 500) return new CodedError("UPSTREAM_UNAVAILABLE", `The service answered ${status}.`);
  if (status >= 400) return new CodedError("UPSTREAM_REJECTED", `The service refused the request with ${status}.`);
  return contractError(`The service answered ${status}, which its document does not name.`);
}
