// Whose header it is: digests are compared, and all of them, so that the time taken tells neither length nor place of a
// difference.
import { timingSafeEqual } from "node:crypto";
import { DIGEST_BYTES, writeDigest } from "../util/digest.ts";

/** Which of the accepted values an Authorization header is, whole and as configured (service.md, section 5); -1: none. */
export function createVerifier(accepted: readonly string[]): (authorization: string | undefined) => number {
  const digests = accepted.map(digestOf);
  const presented = Buffer.alloc(DIGEST_BYTES);
  return (authorization) => {
    writeDigest(presented, authorization ?? "");
    let found = -1;
    for (const [at, digest] of digests.entries()) if (timingSafeEqual(digest, presented)) found = at;
    return authorization === undefined ? -1 : found;
  };
}

function digestOf(text: string): Buffer {
  const digest = Buffer.alloc(DIGEST_BYTES);
  writeDigest(digest, text);
  return digest;
}
