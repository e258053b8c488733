// How much memory the process may use, and what follows from it for large bodies. docs/operating.md has the sizes.
import { totalmem } from "node:os";
import { readMemoryLimit } from "./memoryLimit.ts";

const MIB = 1024 * 1024;

/** With less, tasks of 100,000 numbers of two callers can end the process. */
export const MIN_MEMORY = 512 * MIB;
/** With less, two large bodies that are parsed at once could end the process: parsed, each takes about 150 MB. */
const TWO_BODIES = 640 * MIB;

/** Bytes: of the machine, or of the control groups of a container or a service, if those have less. */
export function memoryOfProcess(limit = readMemoryLimit() ?? process.constrainedMemory()): number {
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

export interface BodyMemory {
  /** Bytes of all bodies in flight, and of those of one caller: a whole number of MiB. */
  total: number;
  ofCaller: number;
  /** Large bodies that are parsed at a time. */
  parsed: number;
}

/** Bodies get an eighth of the memory: at least room for the largest body, and no more than where there is enough. */
export function bodyMemoryOf(memory: number): BodyMemory {
  const share = Math.floor(memory / 8 / MIB);
  const total = Math.min(Math.max(share, 24), 96) * MIB;
  return { total, ofCaller: 24 * MIB, parsed: memory < TWO_BODIES ? 1 : 2 };
}
