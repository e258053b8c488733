// Request IDs: a client and the log name a request by the same ID.
import { randomUUID } from "node:crypto";

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
