// Runs a server until a signal, or until the npm that started it ends.
// The order in which the parts stop: gateway.ts, and for the server `close` in server/httpServer.ts.
import type { Logger } from "../logger.ts";
import { surviveClosedOutput } from "./output.ts";
import { createWaiting, type Waiting } from "../util/start/waiting.ts";
import { watchNpm } from "./npmWatch.ts";

/** A terminal or a service manager signals npm and this process, and npm passes its signal on: the two count as one. */
const SAME_SIGNAL_MS = 1000;

/** Those that a person, a terminal that is closed, and a service manager send to end a program. */
const ENDING = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;

/**
 * `start` puts everything it starts on the stack, and waits for what is not there yet. The first signal ends the waiting, and disposes
 * of the stack, last first; one that comes more than a second later ends the process at once. Resolves with the exit code.
 */
export async function runUntilSignal(
  log: Logger,
  start: (running: AsyncDisposableStack, waiting: Waiting) => Promise<void>,
): Promise<number> {
  await using running = new AsyncDisposableStack();
  const stopping = new AbortController();
  const stopped = Promise.withResolvers<string>();
  const stop = (reason: string) => {
    stopped.resolve(reason);
    stopping.abort();
  };
  let firstAt: number | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    firstAt ??= performance.now();
    if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
    stop(signal);
  };
  using _watch = watchNpm(() => stop("npm has ended"));
  const onUncaught = (err: unknown) => {
    // The state in memory is unknown now. The data on disk is intact, and the next start continues from it.
    log.error({ err }, "uncaught error: the process ends");
    process.exit(1);
  };
  surviveClosedOutput();
  for (const signal of ENDING) process.on(signal, onSignal);
  // Without a listener Node would open its debugger, which anybody on this machine could use.
  process.on("SIGUSR1", () => log.warn({}, "SIGUSR1 is ignored"));
  process.on("uncaughtException", onUncaught).on("unhandledRejection", onUncaught);

  try {
    await start(running, createWaiting({ log, signal: stopping.signal }));
  } catch (error) {
    if (error !== stopping.signal.reason) throw error;
  }
  log.info({ signal: await stopped.promise }, "stopping");
  return 0;
}
