// A value, or the promise of one. Fields with a known value need no promise, so a list of a hundred rows does not create a thousand.

export type MaybePromise<T> = T | Promise<T>;

/** Calls `use` with the value: at once if it is known, otherwise when it resolves. */
export function andThen<T, U>(value: MaybePromise<T>, use: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(use) : use(value);
}
