// Limits how much garbage gathers before it is collected. By default V8 lets the heap grow to five times of what the last collection
// left, so that the garbage of large answers or of a few large bodies would take hundreds of megabytes.
import { setFlagsFromString } from "node:v8";
import { MINUTE_MS } from "../durations.ts";

/** How much the old generation may grow, in per cent of what the last collection left, until the next one. */
const USUAL = 100;
/** Large bodies leave much garbage. Queries leave little, and are slowed by so small a limit. */
const WITH_LARGE_BODIES = 25;

let endTimer: NodeJS.Timeout | undefined;

/** Limits the growth of the whole process's heap. To be called at the start. */
export function limitHeapGrowth(): void {
  setGrowth(USUAL);
}

/** Limits it further for the next minute. */
export function limitHeapGrowthMore(): void {
  if (endTimer) {
    endTimer.refresh();
    return;
  }
  setGrowth(WITH_LARGE_BODIES);
  endTimer = setTimeout(() => {
    endTimer = undefined;
    setGrowth(USUAL);
  }, MINUTE_MS).unref();
}

/** V8 reads this flag at each collection, so that it may change while the process runs. */
function setGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
