// A value that may have to be waited for. What is known is answered at once: a list of a hundred rows is not a thousand
// promises.

export type MaybePromise<T> = T | Promise<T>;

export function andThen<T, U>(value: MaybePromise<T>, use: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(use) : use(value);
}
