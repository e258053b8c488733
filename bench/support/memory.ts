// Watches the memory of a measured program.
import type { Metered } from "./metered.ts";

/** The peak of the program's memory until the signal, in MB. */
export async function watchMemory(program: Metered, signal: AbortSignal): Promise<number> {
  let most = 0;
  while (!signal.aborted) {
    most = Math.max(most, (await program.meter()).memoryMb);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return most;
}
