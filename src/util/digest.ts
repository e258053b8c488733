import { hash } from "node:crypto";

export const DIGEST_BYTES = 32;

/** The SHA-256 of a text, in bytes that are there already: a buffer of its own for each costs twice the digest. */
export function writeDigest(into: Buffer, text: string): void {
  into.write(hash("sha256", text, "latin1"), "latin1");
}
