// Evaluates the rules: a durable reader of the log, and a look at open alerts each minute. On many gateways one reads at a time.
import { startDurableReader, type DurableReaderDeps, type DurableReaderTimes } from "../events/durableReader.ts";
import { isLate, judgeable } from "./judgeCall.ts";
import type { AlertStore } from "../store/alerts/alertStore.ts";
import { MINUTE_MS } from "../util/durations.ts";
import type { Signer } from "../util/hmac.ts";
import type { Signal } from "../util/signal.ts";
import { startRepeating } from "../util/startRepeating.ts";
import type { AlertRule } from "./alertFile.ts";
import { createJudge } from "./judge.ts";
import type { AlertObserver } from "./alertObserver.ts";

/** Its cursor is where the rules are. */
export const ALERTS_READER = "alerts";

export interface AlertsDeps extends Pick<DurableReaderDeps, "events" | "readers" | "leases" | "log"> {
  /** The file's content as of now. */
  rules: () => readonly AlertRule[];
  store: AlertStore;
  signer: Pick<Signer, "digest">;
  /** Epoch milliseconds. */
  clock: () => number;
  /** Notified when people are told of something. */
  told: Signal;
  observer: AlertObserver;
  events: DurableReaderDeps["events"];
  readerObserver: DurableReaderDeps["observer"];
  times?: AlertTimes;
}

export interface AlertTimes {
  reader: DurableReaderTimes;
  settleMs: number;
}

/** States are written with each batch. So batches are larger than those of other readers. */
const TIMES: AlertTimes = {
  reader: { leaseRetryMs: 2000, retryDelaysMs: [1000, 2000, 5000, 15_000], saveIntervalMs: 1000, pauseMs: 250 },
  settleMs: MINUTE_MS,
};

export function startAlerts(deps: AlertsDeps): AsyncDisposable {
  const { rules, store, signer, clock, told, observer, log, times = TIMES, readerObserver } = deps;
  const judgeNow = () => createJudge({ rules: rules(), signer, now: clock() });
  const tell = (notices: number) => {
    if (notices > 0) told.notify();
  };
  const reader = startDurableReader({
    ...deps,
    name: ALERTS_READER,
    from: "now",
    observer: readerObserver,
    times: times.reader,
    async handle(events) {
      const late = events.filter((event) => judgeable(event) && isLate(event)).length;
      if (late > 0) observer.late(late);
      tell(await store.add(ALERTS_READER, events, judgeNow()));
    },
  });
  const settling = startRepeating(async (signal) => {
    await deps.leases
      .withLease("alerts settle", signal, async () => tell(await store.settle(judgeNow().settle)))
      .catch((err: unknown) => log.warn({ err }, "open alerts could not be looked at; it is tried again"));
    return times.settleMs;
  });
  return {
    async [Symbol.asyncDispose]() {
      await settling[Symbol.asyncDispose]();
      await reader[Symbol.asyncDispose]();
    },
  };
}
