// Ends of waiting. A timer runs before the sockets are read: after a long turn of the event loop, or on a machine that was paused, an
// answer may have arrived that nobody has read yet.

/** Calls back when what has arrived so far was read and handled. `end` must look once more whether it still has to. */
export function afterReading(end: () => void): void {
  // Node reads the sockets before the first of them. Some readers, such as ws, hand on what they read by one of their own.
  setImmediate(() => setImmediate(end));
}

export interface Deadline extends Disposable {
  signal: AbortSignal;
}

/** Aborts its signal after `ms`, unless it is disposed of before. `caller` aborts it at once, with its own reason. */
export function startDeadline(ms: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController();
  const leave = () => controller.abort(caller?.reason);
  let isOver = false;
  const abort = () => isOver || controller.abort(new DOMException(`Nothing came within ${ms} ms.`, "TimeoutError"));
  const timer = setTimeout(() => afterReading(abort), ms);
  if (caller?.aborted) leave();
  else caller?.addEventListener("abort", leave, { once: true });
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
      caller?.removeEventListener("abort", leave);
    },
  };
}

/** Rejects with the signal's reason when it aborts, unless `done` settles before. */
export function rejectedBy(signal: AbortSignal, done: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    const leave = () => signal.removeEventListener("abort", abort);
    done.then(leave, leave);
  });
}
