// Large bodies leave much garbage. By default V8 lets the heap grow to several times of what the last collection left, so that the
// garbage of a few large bodies would take hundreds of megabytes. Queries leave little, and are slowed by a smaller limit.
import { setFlagsFromString } from "node:v8";
import { MINUTE_MS } from "../../util/durations.ts";

/** How much the old generation may grow, in per cent of what the last collection left, until the next one. */
const PERCENT = 25;
/** V8 decides. */
const DEFAULT = 0;

let endTimer: NodeJS.Timeout | undefined;

/** Limits the growth of the whole process's heap for the next minute. */
export function limitHeapGrowth(): void {
  if (endTimer) {
    endTimer.refresh();
    return;
  }
  setGrowth(PERCENT);
  endTimer = setTimeout(() => {
    endTimer = undefined;
    setGrowth(DEFAULT);
  }, MINUTE_MS).unref();
}

/** V8 reads this flag at each collection, so that it may change while the process runs. */
function setGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
