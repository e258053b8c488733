// Keeps a delivery going for each destination of the file: on many gateways one at a time, by a lease.
import { CodedError } from "../errors.ts";
import type { EventLog } from "../events/eventLog.ts";
import type { EventCursors } from "../events/logEntry.ts";
import { keepLease } from "../store/shared/keepLease.ts";
import type { LeaseStore } from "../store/shared/leaseStore.ts";
import { HOUR_MS, MINUTE_MS } from "../util/durations.ts";
import type { Signal } from "../util/signal.ts";
import type { AnyDeliverer } from "./deliverer.ts";
import { getsAlerts, getsCalls, type AnyDestination, type Destination } from "./destinationFile.ts";
import { runDeliveries } from "./deliveryRun.ts";
import { createEventFinder } from "./eventFinder.ts";
import { runHours } from "./files/hourRun.ts";
import { placeInLog } from "./firstPlaces.ts";
import { keepEach, type ChangingList } from "./keepEach.ts";
import type { DestinationObserver } from "./observer.ts";
import { RETRIES, type Retries } from "./retries.ts";
import type { RunDeps, RunTimes } from "./runControl.ts";

export interface DestinationsDeps extends Pick<RunDeps, "store" | "mask" | "clock" | "log" | "retentionMs"> {
  /** The file's content as of now, and what tells of its changes. */
  file: ChangingList<AnyDestination>;
  createDeliverer: (destination: Destination) => AnyDeliverer;
  events: RunDeps["events"] & Pick<EventLog, "page" | "markHead" | "oldestCursor">;
  cursors: Pick<EventCursors, "at" | "parse">;
  leases: LeaseStore;
  observer: DestinationObserver;
  /** Notified when people changed a destination on this gateway. */
  changed: Signal;
  retries?: Retries;
  times?: DestinationTimes;
}

export interface DestinationTimes extends RunTimes {
  /** How often it looks whether another gateway has changed a destination. */
  pollMs: number;
  /** How often it asks for the lease that another gateway has, and after the database failed. */
  leaseMs: number;
}

const TIMES: DestinationTimes = {
  saveMs: 200,
  lettersMs: 1000,
  hoursMs: 1000,
  // Events of an hour may come a little after it. Later ones are in a further part.
  hourEndMs: HOUR_MS + MINUTE_MS,
  pollMs: 1000,
  leaseMs: 2000,
};

/** Disposing it ends what is under way at once; it is sent again at the next start. */
export function startDestinations(deps: DestinationsDeps): AsyncDisposable {
  const { file, observer } = deps;
  return keepEach(file, {
    textOf: (destination) => JSON.stringify(destination),
    start(destination) {
      const gets = { calls: getsCalls(destination), alerts: getsAlerts(destination), isOn: destination.enabled };
      observer.started(destination.name, gets);
      // One that gets no calls has nothing to do here: alertDeliveries.ts tells it of alerts.
      const isKept = getsCalls(destination) && destination.enabled;
      return isKept ? startKeeper(destination, deps) : new AsyncDisposableStack();
    },
    ended: observer.ended,
  });
}

/** Disposing it waits until nothing is under way. */
function startKeeper(destination: Destination, deps: DestinationsDeps): AsyncDisposable {
  const { createDeliverer, events, cursors, store, leases, changed, log, retries = RETRIES, times = TIMES } = deps;
  const { name } = destination;
  const eventAt = createEventFinder(events, cursors);

  /** Ends with the signal, or calls `end` when the run is over: another one was begun, here or on another gateway. */
  async function watch(run: number, ended: AbortSignal, end: () => void): Promise<void> {
    const listener = changed.listen();
    ended.addEventListener("abort", listener.close, { once: true });
    if (ended.aborted) listener.close();
    while (!ended.aborted) {
      listener.reset();
      await listener.wait(times.pollMs);
      if (ended.aborted) return;
      const state = await store.read(name).catch(() => undefined);
      if (state !== undefined && state?.run !== run) end();
    }
  }
  async function work(signal: AbortSignal): Promise<void> {
    await using deliverer = createDeliverer(destination);
    while (!signal.aborted) {
      const state = await placeInLog(destination, deps);
      const over = new AbortController();
      const ended = AbortSignal.any([signal, over.signal]);
      const watching = watch(state.run, ended, () => over.abort());
      try {
        const own = { ...deps, destination, eventAt, positionOf: cursors.parse, retries, times };
        if (state.state !== "ACTIVE") await watching;
        else if ("deliverHour" in deliverer) await runHours(state, { ...own, deliverer }, ended);
        else await runDeliveries(state, { ...own, deliverer }, ended);
      } finally {
        over.abort();
        await watching;
      }
    }
  }
  function noteFailure(err: unknown): void {
    if (err instanceof CodedError && err.code === "CURSOR_INVALID")
      log.error({ destination: name, err }, "a destination does not begin: its cursor is not one of this log");
    else log.warn({ destination: name, err }, "the delivery to a destination was interrupted; it goes on");
  }
  return keepLease(leases, { name: `destination ${name}`, work, pauseMs: times.leaseMs, failed: noteFailure });
}
