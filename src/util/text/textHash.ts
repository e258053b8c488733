/**
 * Hashes a text to 32 bits, two characters a step. Different texts may have the same hash, so a table has to compare the texts,
 * too. A Map or Set hashes a new text, such as an ID in an answer of the service, several times as slowly.
 */
export function textHash(text: string): number {
  const last = text.length - 1;
  let hash = text.length;
  for (let at = 0; at < last; at += 2) {
    hash = Math.imul(hash ^ (text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  if (last % 2 === 0) hash = Math.imul(hash ^ text.charCodeAt(last), 0x9e3779b1);
  return (hash ^ (hash >>> 13)) >>> 0;
}
