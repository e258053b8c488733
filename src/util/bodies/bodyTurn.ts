// The turn of a large body (server/body/largeBodyQueue.ts) belongs to what was parsed from the body: to the request, and then to its
// long lists. A function that needs them no longer ends it.

/** A symbol, because no JSON from outside can hold one. */
const RELEASE = Symbol("release");

/** Lets `value` hold a turn, which `release` ends. Further calls of `release` do nothing. */
export function holdTurn(value: object, release: () => void): void {
  Object.assign(value, { [RELEASE]: release });
}

/** What ends the turn that `value` holds. Undefined: it holds none. */
export function releaseOf(value: object): (() => void) | undefined {
  return (value as { [RELEASE]?: () => void })[RELEASE];
}
