/** Writes JSON with sorted keys, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
    return sortKeys(part);
  });
}

function sortKeys(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes the same text of an object in chunks: one for each item of its lists. */
export function* canonicalChunks(value: Readonly<Record<string, unknown>>): Generator<string, void> {
  let separator = "{";
  for (const [key, part] of Object.entries(sortKeys(value))) {
    if (part === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ",";
    if (!Array.isArray(part)) yield canonicalJson(part);
    else {
      yield "[";
      for (const [at, item] of part.entries()) yield (at > 0 ? "," : "") + canonicalJson(item ?? null);
      yield "]";
    }
  }
  yield separator === "{" ? "{}" : "}";
}

/** True if all keys are sorted already, as they usually are. Cheaper than sorting. */
export function hasSortedKeys(value: unknown): boolean {
  if (value === null || typeof value !== "object") return true;
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  return (
    keys.every((key, at) => at === 0 || (keys[at - 1] as string) < key) && Object.values(value).every(hasSortedKeys)
  );
}
