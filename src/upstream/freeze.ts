/** Freezes a record and all that is in it, for many may hold it at once; an Error in it is left as it is. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null || value instanceof Error) return value;
  if (Array.isArray(value)) for (const item of value) freezeDeep(item);
  else for (const key in value) freezeDeep(value[key]);
  return Object.freeze(value);
}
