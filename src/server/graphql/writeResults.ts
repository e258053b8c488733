// Writes the results of a stream one after the other, as fast as its client takes them.
import type { ExecutionResult } from "graphql";
import type { Exchange } from "./exchange.ts";

/**
 * Resolves when all results were written, or the client has left, which ends them. A result is asked for when the bytes of the one
 * before have left, or never will.
 */
export async function writeResults(
  results: AsyncIterableIterator<ExecutionResult>,
  encode: (result: ExecutionResult) => Buffer,
  { response, clientSignal }: Pick<Exchange, "response" | "clientSignal">,
): Promise<void> {
  const signal = clientSignal();
  let stopWaiting = (): void => undefined;
  const end = () => {
    void results.return?.();
    stopWaiting();
  };
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  for await (const result of results) {
    await new Promise<void>((resolve) => {
      stopWaiting = resolve;
      // After an error nothing was written, and the client's signal may come later.
      response.write(encode(result), (error) => (error ? end() : resolve()));
      if (signal.aborted) resolve();
    });
  }
}
