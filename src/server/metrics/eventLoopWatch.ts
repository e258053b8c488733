// Logs when the event loop was blocked, and no request was handled meanwhile.
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Logger } from "../../logger.ts";

const CHECK_MS = 5000;
/** A turn of the event loop that is at least this long is logged. */
const STALL_MS = 500;

export function watchEventLoop(log: Logger): Disposable {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const timer = setInterval(() => {
    const milliseconds = Math.round(delay.max / 1e6);
    delay.reset();
    if (milliseconds >= STALL_MS) log.warn({ milliseconds }, "the event loop was blocked");
  }, CHECK_MS).unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      delay.disable();
    },
  };
}
