// Work beside requests: retention, the registry of tasks, and the search of the call log for events that never came.
import { createLetterPurge } from "../destinations/letterPurge.ts";
import { correctTimes, TIMES_READER } from "../events/correctTimes.ts";
import { startDurableReader, type DurableReaderDeps } from "../events/durableReader.ts";
import { markNotEnded } from "../events/markNotEnded.ts";
import { startRetention } from "../events/retention.ts";
import { startReconciler } from "../reconcile/reconciler.ts";
import { ENDS_READER } from "../store/shared/readerStore.ts";
import { DAY_MS, HOUR_MS } from "../util/durations.ts";
import type { Base } from "./base.ts";
import type { Events } from "./createEvents.ts";
import type { Service } from "./createService.ts";
import type { Storage } from "./createStorage.ts";
import type { Webhooks } from "./createWebhooks.ts";

export interface BackgroundWorkDeps extends Base {
  storage: Storage;
  service: Service;
  events: Events;
  webhooks: Webhooks;
}

const AUDIT_RETENTION_MS = 400 * DAY_MS;
const NOT_ENDED_RETENTION_MS = 7 * DAY_MS;
const USAGE_RETENTION_MS = 7 * DAY_MS;
/** Longer than a rolling upgrade in which an earlier version may get the repeat of a request (inputDigest.ts). */
const PLAIN_DIGEST_MS = HOUR_MS;
/** The windows of rate limits last a minute. */
const RATES_RETENTION_MS = HOUR_MS;

/** Each runs on one gateway at a time, among those that share a database. */
export function startBackgroundWork(deps: BackgroundWorkDeps): AsyncDisposable {
  const { config, overrides, storage, service, webhooks, observers, log } = deps;
  const retentionMs = config.retentionDays * DAY_MS;
  const rawRetentionMs = config.rawDeliveryDays * DAY_MS;
  const { store, tasks, clock } = storage;
  const { events, archive } = deps.events;
  const { upstream } = service;
  const { leases, readers, openCalls } = store;
  const parts = new AsyncDisposableStack();
  const otherStores = [
    { purge: store.events.purgeImported },
    store.knownTasks,
    store.knownAssistants,
    store.knownLines,
    store.submissions,
    { purge: store.submissions.keyDigests, retentionMs: PLAIN_DIGEST_MS },
    { purge: store.usage.purge, retentionMs: USAGE_RETENTION_MS },
    store.taskComparisons,
    { purge: createLetterPurge({ store: store.destinations, observer: observers.destinations, log }) },
    store.alerts,
    store.quarantine,
    // A call has several such events. Kept long enough to notice that a name is missing in EVENT_NAMES.
    {
      purge: store.quarantine.purgeNotEnded,
      retentionMs: Math.min(Math.max(rawRetentionMs, NOT_ENDED_RETENTION_MS), retentionMs),
    },
    // Never longer than their entries. With 0 all are deleted.
    { purge: store.rawDeliveries.purge, retentionMs: Math.min(rawRetentionMs, retentionMs) },
    archive,
    { purge: archive.sweep },
    { purge: store.rateLimits.purge, retentionMs: RATES_RETENTION_MS },
    { purge: store.audit.purge, retentionMs: AUDIT_RETENTION_MS },
  ];
  const purges = store.clock;
  parts.use(
    startRetention({
      events: store.events,
      otherStores,
      leases,
      retentionMs,
      clock,
      purges,
      log,
      ...overrides.purgeTimes,
    }),
  );
  const read = (name: string, handle: DurableReaderDeps["handle"]) => {
    const observer = observers.events;
    parts.use(startDurableReader({ name, handle, events, readers, leases, observer, log }));
  };
  read("known tasks", tasks.addFromEvents);
  read(TIMES_READER, correctTimes(events));
  read(ENDS_READER, markNotEnded({ events: store.events, log }));
  read("early events", webhooks.earlyEvents.handle);
  const { timeZone } = config.upstream;
  const search = { upstream, events, openCalls, leases, timeZone, ...config.reconcile, retentionMs };
  parts.use(startReconciler({ ...search, clock: clock.cautiousNow, log }));
  return parts;
}
