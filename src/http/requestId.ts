import { randomUUID } from "node:crypto";

/** Of a code of a UUID's text: the digit's letter, nothing for a dash. */
const LETTERS: readonly (number | undefined)[] = lettersByCode();

/**
 * 24 letters: a text without digits cannot be taken for a phone number where lines are masked. Of a UUID, for Node makes
 * those from chance that it keeps in stock: every request has an id, and few are ever read.
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
