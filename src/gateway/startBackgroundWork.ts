// Work beside requests: retention, the registry of tasks, and the search of the call log for events that never came.
import type { Config } from "../config/config.ts";
import { correctTimes } from "../events/correctTimes.ts";
import { startDurableReader } from "../events/durableReader.ts";
import { startRetention } from "../events/retention.ts";
import type { Log } from "../log.ts";
import { startReconciler } from "../reconcile/reconciler.ts";
import { DAY_MS } from "../util/durations.ts";
import type { Events } from "./createEvents.ts";
import type { Observers } from "../server/metrics/observers.ts";
import type { Service } from "./createService.ts";
import type { Storage } from "./createStorage.ts";

export interface BackgroundWorkDeps {
  storage: Storage;
  service: Service;
  observers: Pick<Observers, "events">;
  events: Events;
  reconcile: Config["reconcile"];
  timeZone: string;
  retentionMs: number;
  rawRetentionMs: number;
  clock: () => number;
  log: Log;
}

const AUDIT_RETENTION_MS = 400 * DAY_MS;

/** Each runs on one gateway at a time, among those that share a database. */
export function startBackgroundWork(deps: BackgroundWorkDeps): AsyncDisposable {
  const { storage, service, reconcile, timeZone, retentionMs, rawRetentionMs, clock, log } = deps;
  const { store, tasks } = storage;
  const { events, archive } = deps.events;
  const { upstream } = service;
  const { leases, readers, openCalls } = store;
  const parts = new AsyncDisposableStack();
  const otherStores = [
    store.knownTasks,
    store.knownAssistants,
    store.knownLines,
    store.submissions,
    store.usage,
    store.taskComparisons,
    store.quarantine,
    // Never longer than their entries. With 0 all are deleted.
    { purge: store.rawDeliveries.purge, retentionMs: Math.min(rawRetentionMs, retentionMs) },
    archive,
    store.rateLimits,
    { purge: store.audit.purge, retentionMs: AUDIT_RETENTION_MS },
  ];
  parts.use(startRetention({ events: store.events, otherStores, leases, retentionMs, clock, log }));
  parts.use(
    startDurableReader({
      name: "known tasks",
      from: "oldest",
      handle: tasks.addFromEvents,
      events,
      readers,
      leases,
      observer: deps.observers.events,
      log,
    }),
  );
  parts.use(
    startDurableReader({
      name: "believable times",
      from: "oldest",
      handle: correctTimes(events),
      events,
      readers,
      leases,
      observer: deps.observers.events,
      log,
    }),
  );
  parts.use(startReconciler({ upstream, events, openCalls, leases, timeZone, ...reconcile, retentionMs, clock, log }));
  return parts;
}
