// So many at once, the others in their order: what may take long does not stand before what must not wait.

export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

export function createLimit(width: number): Limit {
  let free = width;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Whoever leaves gives the place to the next one, and frees it where nobody waits.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
