// Runs the correlator on the log: a durable reader for the tokens, and beside it the comparisons, so that a failing service does
// not delay tokens.
import { startDurableReader, type DurableReaderDeps } from "../events/durableReader.ts";
import { createSignal } from "../util/signal.ts";
import type { Correlator } from "./correlator.ts";

export interface CorrelationDeps extends Pick<
  DurableReaderDeps,
  "events" | "readers" | "leases" | "observer" | "log" | "times"
> {
  correlator: Correlator;
  /** Pause after a failure, and between two checks for tasks that another gateway stored. */
  retryMs?: number;
}

const RETRY_MS = 15_000;

/** On many gateways each of the two runs on one at a time. Disposing it ends both at once and aborts the request in flight. */
export function startCorrelation(deps: CorrelationDeps): AsyncDisposable {
  const { correlator, leases, log, retryMs = RETRY_MS, ...reading } = deps;
  const newEvents = createSignal();
  const listener = newEvents.listen();
  const stopped = new AbortController();

  // It begins with the oldest event, because a task that was seen before is not compared.
  const reader = startDurableReader({
    ...reading,
    name: "correlation",
    leases,
    log,
    async handle(events) {
      await correlator.handleEvents(events);
      newEvents.notify();
    },
  });

  async function compare(): Promise<void> {
    while (!stopped.signal.aborted) {
      listener.reset();
      await leases
        .withLease("compare tasks", stopped.signal, (signal) => correlator.compareWaitingTasks(signal))
        .catch((err: unknown) => {
          if (!stopped.signal.aborted) log.warn({ err }, "tasks could not be compared with the submissions");
        });
      await listener.wait(retryMs);
    }
  }

  const comparing = compare();
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      listener.close();
      await Promise.all([reader[Symbol.asyncDispose](), comparing]);
    },
  };
}
