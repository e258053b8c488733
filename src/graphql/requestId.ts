// The ID under which a client and the log speak of one request, and the errors that bear it.
import { randomUUID } from "node:crypto";
import type { GraphQLError } from "graphql";
import { publicError } from "../errors.ts";
import type { Log } from "../log.ts";

/** Of a code of a UUID's text: the digit's letter, nothing for a dash. */
const LETTERS: readonly (number | undefined)[] = lettersByCode();

/**
 * 24 letters: a text without digits cannot be taken for a phone number where lines are masked. Of a UUID, for Node makes
 * those from chance that it keeps in stock.
 */
export function createRequestId(): string {
  const uuid = randomUUID();
  const letters: number[] = [];
  for (let at = 0; letters.length < 24; at += 1) {
    const letter = LETTERS[uuid.charCodeAt(at)];
    if (letter !== undefined) letters.push(letter);
  }
  // At once: put together letter by letter, it would be kept as twenty-four texts.
  return String.fromCharCode(...letters);
}

function lettersByCode(): (number | undefined)[] {
  const letters: (number | undefined)[] = Array.from({ length: 128 });
  for (const [at, digit] of Array.from("0123456789abcdef").entries()) letters[digit.charCodeAt(0)] = 97 + at;
  return letters;
}

/** Makes an error public. */
export type Open = (error: unknown) => GraphQLError;

/** Opens all errors of one request under one ID, which is made for the first: most requests have none. */
export function createOpen(log: Log): Open {
  let requestId: string | undefined;
  return (error) => {
    requestId ??= createRequestId();
    return publicError(error, { requestId, log });
  };
}
