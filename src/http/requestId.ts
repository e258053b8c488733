import { randomBytes } from "node:crypto";

/** 24 letters: a text without digits cannot be taken for a phone number where lines are masked. */
export function createRequestId(): string {
  let id = "";
  for (const byte of randomBytes(12))
    id += String.fromCharCode(97 + (byte >> 4)) + String.fromCharCode(97 + (byte & 15));
  return id;
}
