/** Resolves with the first result of `check` that is not false, null or undefined. The time only ends what hangs: then it throws. */
export async function until<T>(
  check: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  withinMs = 180_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await check();
    if (found !== false && found !== null && found !== undefined) return found;
    if (performance.now() > deadline)
      throw new Error(`The condition did not become true within ${withinMs} ms: ${check.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
