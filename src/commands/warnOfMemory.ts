// Warns at the start where the process may use less memory than it can need.
import { memoryOfProcess, MIN_MEMORY } from "../config/memory.ts";
import type { Logger } from "../logger.ts";

const MIB = 1024 * 1024;

export function warnOfLittleMemory(log: Pick<Logger, "warn">, memory = memoryOfProcess()): void {
  if (memory >= MIN_MEMORY) return;
  const sizes = { memoryMib: Math.floor(memory / MIB), minimumMib: MIN_MEMORY / MIB };
  log.warn(sizes, "the memory is below the minimum: a large task can end the gateway (docs/operating.md, Memory)");
}
