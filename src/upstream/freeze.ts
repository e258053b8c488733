/** Freezes a record and all that is in it, for many may hold it at once; an Error in it is left as it is. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null || value instanceof Error || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freezeDeep(part);
  return Object.freeze(value);
}
