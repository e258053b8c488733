import { hash } from "node:crypto";

export const DIGEST_BYTES = 32;

/** Writes the SHA-256 of a text into an existing buffer. A new buffer for each digest would cost twice as much as the digest. */
export function writeDigest(into: Buffer, text: string): void {
  into.write(hash("sha256", text, "latin1"), "latin1");
}
