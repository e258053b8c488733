/**
 * Whether every text of a JSON value is Unicode: half a surrogate pair, which JSON can spell, has no bytes in UTF-8, and
 * would be kept as another text than was given. Without recursion, for a value may be nested as deep as its text is long.
 */
export function isWellFormed(value: unknown): boolean {
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === "string" && !next.isWellFormed()) return false;
    if (typeof next !== "object" || next === null) continue;
    if (Array.isArray(next)) for (const item of next) rest.push(item);
    else for (const [key, item] of Object.entries(next)) rest.push(key, item);
  }
  return true;
}
