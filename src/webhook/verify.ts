// Whose header it is: digests are compared, and all of them, so that the time taken tells neither length nor place of a
// difference.
import { hash, timingSafeEqual } from "node:crypto";

/** Which of the accepted values an Authorization header is, whole and as configured (service.md, section 5); -1: none. */
export function createVerifier(accepted: readonly string[]): (authorization: string | undefined) => number {
  const digests = accepted.map(digestOf);
  return (authorization) => {
    const presented = digestOf(authorization ?? "");
    let found = -1;
    for (const [at, digest] of digests.entries()) if (timingSafeEqual(digest, presented)) found = at;
    return authorization === undefined ? -1 : found;
  };
}

function digestOf(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
