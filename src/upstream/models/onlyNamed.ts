// What a schema names of an object of the service: a part may wait to be read for as long as its task is kept, and the rest of
// the service's text must not.

/** A copy with those of `names` that are there; null stays, and anything else is undefined, which no schema takes. */
export function pickFields(names: readonly string[], value: unknown): Record<string, unknown> | null | undefined {
  if (value === null) return null;
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  const named: Record<string, unknown> = {};
  for (const name of names) if (Object.hasOwn(value, name)) named[name] = (value as typeof named)[name];
  return named;
}
