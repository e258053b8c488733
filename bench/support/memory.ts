import type { Metered } from "./metered.ts";

/** The most memory, in MB, that the program had until the signal. */
export async function watchMemory(program: Metered, signal: AbortSignal): Promise<number> {
  let most = 0;
  while (!signal.aborted) {
    most = Math.max(most, (await program.meter()).memoryMb);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return most;
}
