/** JSON with every object's keys in one order: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Whether it stands in that order already: cheap, and mostly so. */
export function isInOrder(value: unknown): boolean {
  if (value === null || typeof value !== "object") return true;
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  return keys.every((key, at) => at === 0 || (keys[at - 1] as string) < key) && Object.values(value).every(isInOrder);
}
