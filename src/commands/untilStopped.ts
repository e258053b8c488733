// Runs something until a signal comes: SIGTERM or SIGINT stop it in order, a second one at once.
import type { Log } from "../log.ts";

/** `begin` puts what it starts on the stack; the stack is disposed of, last first, when the signal comes. */
export async function untilStopped(log: Log, begin: (running: AsyncDisposableStack) => Promise<void>): Promise<number> {
  await using running = new AsyncDisposableStack();
  const stopped = Promise.withResolvers<string>();
  let signals = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    signals += 1;
    if (signals > 1) process.exit(1);
    stopped.resolve(signal);
  };
  const onFault = (err: unknown) => {
    // Nobody knows what state this left behind: what is on disk is whole, and the next start begins there.
    log.error({ err }, "an error that nothing was prepared for: the process ends");
    process.exit(1);
  };
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  process.on("uncaughtException", onFault).on("unhandledRejection", onFault);

  await begin(running);
  log.info({ signal: await stopped.promise }, "stopping");
  return 0;
}
