// Turns what undici throws into one of ours: not reached, too late, or no HTTP that fits. Its own text stays behind, as
// the cause.
import { errors } from "undici";
import { CodedError } from "../errors.ts";

/** `deadline` is the request's own: once it has passed, it is the reason, whatever broke under it. */
export function failureOf(error: unknown, deadline: AbortSignal): Error {
  if (deadline.aborted || error instanceof errors.ConnectTimeoutError) {
    return new CodedError("UPSTREAM_TIMEOUT", "The service did not answer in time.", { cause: error });
  }
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    return new CodedError("UPSTREAM_CONTRACT", "The service's answer is too large.", { cause: error });
  }
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) {
    // Without the cause: a parser's error holds what the service wrote.
    return new CodedError("UPSTREAM_CONTRACT", "The service's answer is no HTTP.");
  }
  if (error instanceof errors.InvalidArgumentError) return error;
  return new CodedError("UPSTREAM_UNAVAILABLE", "The service could not be reached.", { cause: error });
}
