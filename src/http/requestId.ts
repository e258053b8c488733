import { randomUUID } from "node:crypto";

const LETTERS: Record<string, string> = Object.fromEntries(
  Array.from("0123456789abcdef", (digit, at) => [digit, String.fromCharCode(97 + at)]),
);

/**
 * 24 letters: a text without digits cannot be taken for a phone number where lines are masked. Of a UUID, for Node makes
 * those from chance that it keeps in stock: every request has an id, and few are ever read.
 */
export function createRequestId(): string {
  const uuid = randomUUID();
  let id = "";
  for (let at = 0; id.length < 24; at += 1) id += LETTERS[uuid[at] as string] ?? "";
  return id;
}
