// Runs a server until SIGTERM, SIGINT or the end of the npm that started it, and explains why a port cannot be listened on.
// The order in which the parts stop: gateway.ts, and for the server `close` in server/httpServer.ts.
import type { Log } from "../log.ts";
import { ConfigError } from "../config/config.ts";
import { watchNpm } from "./npmWatch.ts";

/** A terminal or a service manager signals npm and this process, and npm passes its signal on: the two count as one. */
const SAME_SIGNAL_MS = 1000;

/**
 * `start` puts everything it starts on the stack. The first signal disposes of the stack, last first; one that comes
 * more than a second later ends the process at once. Resolves with the exit code.
 */
export async function runUntilSignal(
  log: Log,
  start: (running: AsyncDisposableStack) => Promise<void>,
): Promise<number> {
  await using running = new AsyncDisposableStack();
  const stopped = Promise.withResolvers<string>();
  let firstAt: number | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    firstAt ??= performance.now();
    if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
    stopped.resolve(signal);
  };
  using _watch = watchNpm(() => stopped.resolve("npm has ended"));
  const onUncaught = (err: unknown) => {
    // The state in memory is unknown now. The data on disk is intact, and the next start continues from it.
    log.error({ err }, "uncaught error: the process ends");
    process.exit(1);
  };
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  process.on("uncaughtException", onUncaught).on("unhandledRejection", onUncaught);

  await start(running);
  log.info({ signal: await stopped.promise }, "stopping");
  return 0;
}

type ListenError = NodeJS.ErrnoException & { port?: number; hostname?: string };

/**
 * Makes a handler for `catch`. It throws a ConfigError if an address cannot be listened on, and any other error unchanged.
 *
 * @param ports by variable. All ports are on `host`, except the sandbox's, which is on loopback.
 */
export function reportListenError(host: string, ports: Readonly<Record<string, number | null>>) {
  return (error: ListenError): never => {
    const { code, syscall, port, hostname } = error;
    if (syscall === "getaddrinfo" && hostname === host) throw new ConfigError([`HOST has no address (${code})`]);
    if (syscall !== "listen") throw error;
    const [name = "PORT"] = Object.entries(ports).find(([, number]) => number === port) ?? [];
    if (code === "EADDRINUSE") {
      throw new ConfigError([`${name}: port ${port} is taken by another program; set ${name} to a free one, or to 0`]);
    }
    throw new ConfigError([`${name === "SANDBOX_PORT" ? name : `HOST and ${name}`} cannot be listened on (${code})`]);
  };
}
