// A response of the service: its JSON body, or the UPSTREAM_* error that its status, its body or the connection's failure
// stands for. The service's document names no status but 200 (section 7), so other statuses have their HTTP meaning.
import { CodedError } from "../errors.ts";
import { isTextDeeperThan } from "../format/jsonDepth.ts";
import { httpDateMs } from "../format/instant.ts";

export interface ServiceResponse {
  status: number;
  /** The header as it came. */
  retryAfter: string | undefined;
  /** The Date header as it came: the service's clock. */
  date?: string | undefined;
  /** The body of a 2xx; empty for any other status. */
  text: string;
}

/** The shapes of the service's document have 5. */
const MAX_DEPTH = 32;
/** In characters. A shorter text cannot hold too many objects, so its depth is not checked. */
const MIN_LENGTH_TO_CHECK = 64 * 1024;
const MAX_RETRY_AFTER_SECONDS = 3600;

/** The body of a 2xx, parsed by `parse`. Throws UPSTREAM_* for any other status, and UPSTREAM_CONTRACT for invalid JSON. */
export function parseBody({ status, retryAfter, text }: ServiceResponse, parse: (text: string) => unknown): unknown {
  if (status < 200 || status > 299) throw statusError(status, retryAfter);
  if (text.length > MIN_LENGTH_TO_CHECK && isTextDeeperThan(MAX_DEPTH, text)) {
    throw contractError(`The service's answer is nested deeper than ${MAX_DEPTH} levels, the limit.`);
  }
  try {
    return parse(text);
  } catch {
    // Without a cause, because a parser's message quotes the text.
    throw contractError("The service's answer is not valid JSON.");
  }
}

/**
 * Seconds from a Retry-After in seconds or as an HTTP date, from 0 to 3600; undefined where there is none. Some servers write fractions of
 * seconds, which are rounded up, or a time of Unix in seconds or milliseconds: test/corpus/serviceAnswers.ts.
 */
export function retryAfterSeconds(header: string | undefined): number | undefined {
  const seconds = secondsOf(header ?? "");
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}

function secondsOf(header: string): number {
  if (!/^\d+(?:\.\d+)?$/.test(header)) return secondsUntil(httpDateMs(header));
  const seconds = Number(header);
  const unit = EPOCH_UNITS_MS.find((ms) => seconds * ms >= FIRST_EPOCH_MS && seconds * ms < FIRST_EPOCH_MS * 10);
  return unit === undefined ? Math.ceil(seconds) : secondsUntil(seconds * unit);
}

/** The seconds and the milliseconds of Unix. */
const EPOCH_UNITS_MS = [1000, 1];
/** September 2001: from here on the number has the same count of digits for centuries. */
const FIRST_EPOCH_MS = 1e12;

const secondsUntil = (epochMs: number) => Math.ceil((epochMs - Date.now()) / 1000);

/** The answer breaks the service's document. The message may name fields, but no values. */
export function contractError(message: string): CodedError {
  return new CodedError("UPSTREAM_CONTRACT", message);
}

export function timeoutError(): CodedError {
  return new CodedError("UPSTREAM_TIMEOUT", "The service did not answer in time. Try again later.");
}

/** `cause`: the error of the connection. */
export function unavailableError(cause?: unknown): CodedError {
  return new CodedError("UPSTREAM_UNAVAILABLE", "The service could not be reached. Try again later.", { cause });
}

function statusError(status: number, retryAfterHeader: string | undefined): CodedError {
  if (status === 429) return rateLimitError(retryAfterSeconds(retryAfterHeader));
  if (status >= 500) return new CodedError("UPSTREAM_UNAVAILABLE", `The service answered ${status}. Try again later.`);
  if (status >= 400) return new CodedError("UPSTREAM_REJECTED", `The service rejected the request with ${status}.`);
  return contractError(`The service answered ${status}, a status that its document does not name.`);
}

function rateLimitError(retryAfter: number | undefined): CodedError {
  return new CodedError(
    "UPSTREAM_RATE_LIMITED",
    `The service accepts no more requests for now. Try again ${retryAfter === undefined ? "later" : `in ${retryAfter} s`}.`,
    retryAfter === undefined ? {} : { retryAfter },
  );
}

/** The error that an outcome is for a caller, where it is not tried again. `read` throws for such a response. */
export function failureOf(outcome: ServiceResponse | Error, read: (response: ServiceResponse) => unknown): unknown {
  if (outcome instanceof Error) return outcome;
  try {
    read(outcome);
  } catch (error) {
    return error;
  }
  return new TypeError("A response without a fault is not tried again.");
}
