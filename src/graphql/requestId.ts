// Request IDs: a client and the log name a request by the same ID.
import { randomUUID } from "node:crypto";
import type { GraphQLError } from "graphql";
import { publicError } from "../errors.ts";
import type { Log } from "../log.ts";

/** By character code: the code of a letter for each hexadecimal digit of a UUID, undefined for its dashes. */
const LETTERS: readonly (number | undefined)[] = lettersByCode();

/**
 * Returns 24 letters. The log masks digits that could be a phone number, so the ID has none. It is made of a UUID because
 * Node caches random bytes for these.
 */
export function createRequestId(): string {
  const uuid = randomUUID();
  const letters: number[] = [];
  for (let at = 0; letters.length < 24; at += 1) {
    const letter = LETTERS[uuid.charCodeAt(at)];
    if (letter !== undefined) letters.push(letter);
  }
  // One call makes one string; adding letter by letter would keep 24.
  return String.fromCharCode(...letters);
}

function lettersByCode(): (number | undefined)[] {
  const letters: (number | undefined)[] = Array.from({ length: 128 });
  for (const [at, digit] of Array.from("0123456789abcdef").entries()) letters[digit.charCodeAt(0)] = 97 + at;
  return letters;
}

/** Makes an error public: it gets a code and the request's ID, and an unknown error is logged and loses its message. */
export type PublishError = (error: unknown) => GraphQLError;

/** For one request. Its ID is created for the first error: most requests have none. */
export function createErrorPublisher(log: Log): PublishError {
  let requestId: string | undefined;
  return (error) => {
    requestId ??= createRequestId();
    return publicError(error, { requestId, log });
  };
}
