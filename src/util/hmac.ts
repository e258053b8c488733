// Opaque text that comes back unchanged or not at all: cursors are sealed with a key that only the gateways have.
import { createHmac, timingSafeEqual } from "node:crypto";

export interface Signer {
  /** The payload, readable, with a mark behind it that nobody else can make. `purpose` keeps one use from another's. */
  sign(purpose: string, payload: string): string;
  /** The payload; null where the text was not sealed here for this purpose. */
  verify(purpose: string, sealed: string): string | null;
  /** A name for something that has none: the same for the same text, telling nothing of it. */
  digest(purpose: string, text: string): string;
}

const MARK_BYTES = 12;
const MARK_LENGTH = 16;

export function createSigner(key: Buffer): Signer {
  const mark = (purpose: string, payload: string) =>
    createHmac("sha256", key).update(`${purpose}\0${payload}`).digest().subarray(0, MARK_BYTES);

  return {
    sign: (purpose, payload) => payload + mark(purpose, payload).toString("base64url"),
    verify(purpose, sealed) {
      if (sealed.length <= MARK_LENGTH) return null;
      const payload = sealed.slice(0, -MARK_LENGTH);
      // The texts are compared, not what they decode to: base64url has other spellings of the same bytes.
      const given = Buffer.from(sealed.slice(-MARK_LENGTH));
      const right = Buffer.from(mark(purpose, payload).toString("base64url"));
      return given.length === right.length && timingSafeEqual(given, right) ? payload : null;
    },
    digest: (purpose, text) => mark(`digest ${purpose}`, text).toString("base64url"),
  };
}
