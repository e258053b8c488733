// Credentials that an address shows again and again although they were refused: a client that retries for ever is told to
// stop. Digests are kept, and no credentials.
import { hash } from "node:crypto";

/** Counts one more refusal of these credentials; true where they were refused too often within the hour. */
export type IsRepeated = (authorization: string, address: string) => boolean;

/** As many tries as a graphql-ws client makes by default, with the retries behind the first. */
export const MAX_ATTEMPTS = 6;
const WINDOW_MS = 3_600_000;
/** Of more credentials in an hour, the others are not remembered: their clients may go on trying. */
const MOST_REMEMBERED = 10_000;

/** One window for all, so that forgetting them costs nothing. */
export function createRepeatedCredentials(now = () => performance.now()): IsRepeated {
  const tries = new Map<string, number>();
  let endsAt = now() + WINDOW_MS;

  return (authorization, address) => {
    if (now() >= endsAt) {
      tries.clear();
      endsAt = now() + WINDOW_MS;
    }
    const key = `${hash("sha256", authorization, "base64")} ${address}`;
    const count = (tries.get(key) ?? 0) + 1;
    if (count > 1 || tries.size < MOST_REMEMBERED) tries.set(key, count);
    return count >= MAX_ATTEMPTS;
  };
}
