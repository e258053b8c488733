import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Whether an Authorization header is one of the accepted values, whole and as configured (service.md, section 5). Digests
 * are compared, and all of them, so that the time taken tells neither length nor place of a difference.
 */
export function createVerifier(accepted: readonly string[]): (authorization: string | undefined) => boolean {
  const digests = accepted.map(digestOf);
  return (authorization) => {
    const presented = digestOf(authorization ?? "");
    let fits = false;
    for (const digest of digests) if (timingSafeEqual(digest, presented)) fits = true;
    return fits && authorization !== undefined;
  };
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
