/** Resolves with the first result that is neither false, null nor undefined; asks again until then. */
export async function until<T>(
  look: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  withinMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== false && found !== null && found !== undefined) return found;
    if (performance.now() > deadline)
      throw new Error(`it did not come to pass within ${withinMs} ms: ${look.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
