// The start leaves a young generation of 20 MB, most of it unused, which V8 keeps for as long as a gateway has little to do. Only a
// collection of last resort gives it back.
import { performance } from "node:perf_hooks";

const CHECK_MS = 250;
/** The collection takes 30 to 70 ms, so it waits for a moment without requests. */
const QUIET_UTILIZATION = 0.1;
/** A gateway with work to do needs the memory. */
const MAX_CHECKS = 40;

/** Shrinks the process's heap once, in a quiet moment soon after the start. Disposing it before does nothing more. */
export function shrinkHeapWhenQuiet(): Disposable {
  let checks = 0;
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const isQuiet = performance.eventLoopUtilization(now, before).utilization < QUIET_UTILIZATION;
    before = now;
    checks += 1;
    if (isQuiet || checks === MAX_CHECKS) clearInterval(timer);
    if (isQuiet) collectAll();
  }, CHECK_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Does nothing in a Node that was not started with `--expose-gc`, as bin/switchboard.js does. */
function collectAll(): void {
  globalThis.gc?.({ type: "major", flavor: "last-resort", execution: "sync" });
}
