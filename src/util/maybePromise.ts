// A value that may have to be waited for. What is known is answered at once: a list of a hundred rows is not a thousand
// promises.

export type Awaitable<T> = T | Promise<T>;

export function whenKnown<T, U>(value: Awaitable<T>, use: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(use) : use(value);
}
