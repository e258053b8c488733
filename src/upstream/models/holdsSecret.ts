// Whether a secret can be read out of an address, however the address spells it: percent-encoded, also twice, or in another
// case, as hosts are.

/** Shorter ones are no secret, and stand in an address by chance. */
const SHORTEST = 4;
const ENCODED = /%([\da-f]{2})/gi;
/** What may be spelt in another way than it is; most addresses have none of it. */
const SPELT = /[%\u0080-\uffff]/;

/** `address` as it would be shown. A secret that is neither text nor number is none. */
export function holdsSecret(address: string, secret: unknown): boolean {
  if (typeof secret !== "string" && typeof secret !== "number") return false;
  const bare = plain(String(secret).trim());
  return bare.length >= SHORTEST && plain(address).includes(bare);
}

/** Byte by byte, so that no broken encoding is in the way. */
function plain(text: string): string {
  if (!SPELT.test(text)) return text.toLowerCase();
  const decoded = Buffer.from(text).toString("latin1").replace(ENCODED, byteOf).replace(ENCODED, byteOf);
  return decoded.toLowerCase();
}

function byteOf(_encoded: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}
