// Turns what undici throws into one of ours: not reached, too late, or no HTTP that fits. Its own text stays behind, as
// the cause.
import { errors } from "./undici.ts";
import { CodedError } from "../errors.ts";

export function transportError(error: unknown): Error {
  if (error instanceof errors.ConnectTimeoutError) return timeoutError(error);
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) {
    // Without the cause: a parser's error holds what the service wrote.
    return new CodedError("UPSTREAM_CONTRACT", "The service's answer is no HTTP.");
  }
  if (error instanceof errors.InvalidArgumentError) return error;
  return new CodedError("UPSTREAM_UNAVAILABLE", "The service could not be reached.", { cause: error });
}

export function timeoutError(cause?: unknown): CodedError {
  return new CodedError("UPSTREAM_TIMEOUT", "The service did not answer in time.", { cause });
}
