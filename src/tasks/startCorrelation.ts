// Runs the correlator: a durable reader of the log for marks, and beside it, so that a service that fails holds up no
// mark, the comparison of tasks that wait for one. Each is one at a time among many gateways.
import { createSignal } from "../util/signal.ts";
import { startDurableReader, type DurableReaderDeps } from "../events/durableReader.ts";
import type { Correlator } from "./correlator.ts";

export interface CorrelationDeps extends Pick<DurableReaderDeps, "events" | "readers" | "leases" | "log" | "times"> {
  correlator: Correlator;
  /** After a failure; another gateway's tasks are looked for as often. */
  retryMs?: number;
}

const RETRY_MS = 15_000;

/** Disposing it ends both at once, with the request under way. */
export function startCorrelation(deps: CorrelationDeps): AsyncDisposable {
  const { correlator, leases, log, retryMs = RETRY_MS, ...reading } = deps;
  const met = createSignal();
  const ear = met.listen();
  const stopped = new AbortController();

  const reader = startDurableReader({
    ...reading,
    name: "correlation",
    // Whatever was told before is not met for the first time.
    from: "oldest",
    leases,
    log,
    async handle(events) {
      await correlator.resolveByTokens(events);
      met.notify();
    },
  });

  async function compare(): Promise<void> {
    while (!stopped.signal.aborted) {
      ear.reset();
      await leases
        .withLease("compare tasks", stopped.signal, (signal) => correlator.compareWaitingTasks(signal))
        .catch((err: unknown) => {
          if (!stopped.signal.aborted) log.warn({ err }, "tasks could not be compared with the submissions");
        });
      await ear.wait(retryMs);
    }
  }

  const comparing = compare();
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      ear.close();
      await Promise.all([reader[Symbol.asyncDispose](), comparing]);
    },
  };
}
