// Signs texts with HMAC-SHA-256 and verifies them. The gateways of a database share the key.
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

export interface Signer {
  /** Returns the readable payload with a signature behind it. `purpose` separates different uses of the key. */
  sign(purpose: string, payload: string): string;
  /** Returns the payload. Null if the text was not signed with this key for this purpose. */
  verify(purpose: string, signed: string): string | null;
  /** Returns a keyed hash of a text, which does not reveal the text. */
  digest(purpose: string, text: string): string;
  /** Returns 32 bytes for another algorithm, always the same for a purpose. */
  deriveKey(purpose: string): Buffer;
}

/** Base64url characters, 12 bytes. */
const SIGNATURE_LENGTH = 16;
const DERIVED_KEY_BYTES = 32;

export function createSigner(key: Buffer): Signer {
  const signatureOf = (purpose: string, payload: string) =>
    createHmac("sha256", key).update(`${purpose}\0${payload}`).digest("base64url").slice(0, SIGNATURE_LENGTH);

  return {
    sign: (purpose, payload) => payload + signatureOf(purpose, payload),
    verify(purpose, signed) {
      if (signed.length <= SIGNATURE_LENGTH) return null;
      const payload = signed.slice(0, -SIGNATURE_LENGTH);
      // Compare the texts and not the decoded bytes: base64url has several spellings of the same bytes.
      const given = Buffer.from(signed.slice(-SIGNATURE_LENGTH));
      const expected = Buffer.from(signatureOf(purpose, payload));
      return given.length === expected.length && timingSafeEqual(given, expected) ? payload : null;
    },
    digest: (purpose, text) => signatureOf(`digest ${purpose}`, text),
    deriveKey: (purpose) => Buffer.from(hkdfSync("sha256", key, "", purpose, DERIVED_KEY_BYTES)),
  };
}
