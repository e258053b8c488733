// Request IDs: a client, the proxies in front and the log name a request by the same ID.
import { randomUUID } from "node:crypto";
import { logFields } from "./logContext.ts";

/** By character code: the code of a letter for each hexadecimal digit of a UUID, undefined for its dashes. */
const LETTERS: readonly (number | undefined)[] = lettersByCode();

const ID = /^[\w.~-]{8,128}$/;
/** Digits in a row could be a phone number, which the log must not hold, unless the ID is hexadecimal. */
const DIGITS_IN_A_ROW = /\d{7}/;
const HEXADECIMAL = /^(?=.*[a-f])[\da-f-]+$/i;

/** The header's value if it can be used: 8 to 128 letters, digits and `-._~`, and no phone number. Null: it is ignored. */
export function readRequestId(header: string | string[] | undefined): string | null {
  if (typeof header !== "string" || !ID.test(header)) return null;
  return DIGITS_IN_A_ROW.test(header) && !HEXADECIMAL.test(header) ? null : header;
}

/** The ID that a trusted proxy gave to the current request, or a new one. */
export function requestIdOrNew(): string {
  return logFields().requestId ?? createRequestId();
}

/** The header that echoes the ID of the current request in a response that is written as text: one line or none. */
export function requestIdLines(): string[] {
  const { requestId } = logFields();
  return requestId === undefined ? [] : [`x-request-id: ${requestId}`];
}

/**
 * Returns 24 letters. The log masks digits that could be a phone number, so the ID has none. It is made of a UUID because
 * Node caches random bytes for these.
 */
function createRequestId(): string {
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
