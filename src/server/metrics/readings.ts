// What is read from the parts of the gateway when Prometheus asks: gauges, and counts that a part keeps for itself. What is stored is
// read at most once a second, however many ask; whether the database takes writes is asked each time, once for requests that overlap.
import { statfs } from "node:fs/promises";
import type { DestinationContent } from "../../destinations/observer.ts";
import { readWaitingAlerts } from "../../destinations/alerts/alertDeliveries.ts";
import type { EventLog } from "../../events/eventLog.ts";
import type { TrustedClock } from "../../events/trustedClock.ts";
import type { Logger } from "../../logger.ts";
import type { Store } from "../../store/store.ts";
import { submissionStatuses } from "../../store/tasks/submissionRow.ts";
import { upstreamStates, type UpstreamStatus } from "../../upstream/upstream.ts";
import type { Instruments } from "./instruments.ts";
import { epochMsOf } from "../../format/instant.ts";

export interface ReadingDeps {
  store: Pick<
    Store,
    | "events"
    | "quarantine"
    | "recordings"
    | "submissions"
    | "readers"
    | "destinations"
    | "alerts"
    | "openCalls"
    | "pool"
    | "isWritable"
  >;
  events: Pick<EventLog, "checkProgress" | "lostEvents">;
  clock: Pick<TrustedClock, "doubt">;
  timeZoneWatch: { aheadMs(): number };
  /** Reads a reader's cursor. Throws for a text that is no cursor of this log. */
  positionOf: (cursor: string) => number;
  service: { status(): UpstreamStatus };
  sockets: { size: () => number };
  subscribers: { running(): number };
  groups: { running(): number };
  /** Folders of which the disks are watched, by the names that metrics give them. */
  folders: Readonly<Record<string, string>>;
  /** Milliseconds between two searches of the call log; 0: none. */
  reconcileIntervalMs: number;
  now: () => number;
  log: Logger;
}

const STORED_MS = 1000;
const DESTINATION_GAUGES = [
  "destinationDisabled",
  "destinationFailing",
  "destinationLag",
  "destinationOldest",
  "destinationLetters",
  "destinationAlerts",
] as const;

/** The returned function reads everything. It never rejects: a metric whose source fails is missing from the page. */
export function createReadings(
  instruments: Instruments,
  { readers, destinations }: { readers: ReadonlySet<string>; destinations: ReadonlyMap<string, DestinationContent> },
  deps: ReadingDeps,
): () => Promise<void> {
  const { store, events, clock, timeZoneWatch, service, sockets, subscribers, groups, folders } = deps;
  const { positionOf, reconcileIntervalMs, now, log } = deps;
  const startedAt = Date.now();
  /** 0 where there is none: an alert must tell that from a metric that is missing. */
  const ageOf = (instant: string | null) => (instant === null ? 0 : Math.max(0, now() - epochMsOf(instant)) / 1000);

  function total(to: Instruments["logLinesLost"], count: number): void {
    to.reset();
    to.inc(count);
  }
  function readService(): void {
    const { state, tokenRefused, requests, retries, shared, cached, underWay, queued } = service.status();
    total(instruments.upstreamRequests, requests);
    total(instruments.upstreamRetries, retries);
    total(instruments.upstreamShared, shared);
    total(instruments.upstreamCached, cached);
    instruments.upstreamUnderWay.set(underWay);
    instruments.upstreamQueued.set(queued);
    instruments.tokenRefused.set(Number(tokenRefused));
    instruments.timesAhead.set(timeZoneWatch.aheadMs() / 1000);
    for (const each of upstreamStates) instruments.upstreamState.set({ state: each }, Number(state === each));
  }
  /** 1 where no check runs: an alert must tell the end of a check from a metric that is missing. */
  const readLogCheck = () => instruments.logChecked.set(events.checkProgress() ?? 1);
  const readLostEvents = () => instruments.lostEvents.set(events.lostEvents());
  const readClock = () => instruments.clockDoubted.set(Number(clock.doubt() !== null));
  function readSubscribers(): void {
    instruments.sockets.set(sockets.size());
    instruments.subscriptions.set(subscribers.running());
    instruments.groups.set(groups.running());
  }
  async function readLog(): Promise<void> {
    const { logHead, readerLag, readerPosition } = instruments;
    logHead.remove();
    readerLag.reset();
    readerPosition.reset();
    // The cursors first, so that none is ahead of the head.
    const cursors = await store.readers.cursors();
    const head = await store.events.head();
    logHead.set(head);
    for (const reader of readers) {
      const position = positionOrZero(cursors.get(reader));
      readerPosition.set({ reader }, position);
      readerLag.set({ reader }, Math.max(0, head - position));
    }
  }
  /** 0 for a reader that has never read, and for a cursor of another log, which its reader replaces. */
  function positionOrZero(cursor: string | undefined): number {
    try {
      return cursor === undefined ? 0 : positionOf(cursor);
    } catch {
      return 0;
    }
  }
  async function readDestinations(): Promise<void> {
    for (const gauge of DESTINATION_GAUGES) instruments[gauge].reset();
    instruments.destinationsLeft.remove();
    const all = await store.destinations.all();
    const states = all.filter(({ name }) => destinations.has(name));
    instruments.destinationsLeft.set(all.length - states.length);
    if (states.length === 0) return;
    const [letters, head] = [await store.destinations.letterCounts(), await store.events.head()];
    const told = states.map(({ name }) => name).filter((name) => destinations.get(name)?.alerts);
    const alerts = await readWaitingAlerts(told, store);
    for (const [destination, waiting] of alerts) instruments.destinationAlerts.set({ destination }, waiting);
    for (const { name: destination, state, cursor, failingSince } of states) {
      instruments.destinationDisabled.set({ destination }, Number(state === "DISABLED"));
      // A paused or disabled one is not tried, nor one that the file has switched off.
      const isTried = state === "ACTIVE" && destinations.get(destination)?.isOn === true;
      instruments.destinationFailing.set({ destination }, isTried ? ageOf(failingSince) : 0);
      if (cursor === null || !destinations.get(destination)?.calls) continue;
      const position = positionOrZero(cursor);
      instruments.destinationLag.set({ destination }, Math.max(0, head - position));
      instruments.destinationOldest.set({ destination }, ageOf(await store.destinations.oldestAfter(position)));
      const { waiting, dead } = letters.get(destination) ?? { waiting: 0, dead: 0 };
      instruments.destinationLetters.set({ destination, state: "waiting" }, waiting);
      instruments.destinationLetters.set({ destination, state: "dead" }, dead);
    }
  }
  async function readReconcile(): Promise<void> {
    const { reconcileCompleted, reconcileInterval } = instruments;
    reconcileCompleted.remove();
    reconcileInterval.set(reconcileIntervalMs / 1000);
    if (reconcileIntervalMs === 0) return;
    const { lastComplete } = await store.openCalls.searchState();
    // Before the first one: the start, from which on there was none.
    reconcileCompleted.set((lastComplete === null ? startedAt : epochMsOf(lastComplete)) / 1000);
  }
  async function readQuarantine(): Promise<void> {
    instruments.quarantined.remove();
    instruments.quarantined.set(await store.quarantine.count("UNREADABLE"));
  }
  async function readRecordings(): Promise<void> {
    instruments.recordings.reset();
    instruments.recordingsOldest.remove();
    const counts = await store.recordings.counts();
    for (const [status, count] of Object.entries(counts)) instruments.recordings.set({ status }, count);
    instruments.recordingsOldest.set(ageOf(await store.recordings.oldestPending()));
  }
  async function readSubmissions(): Promise<void> {
    instruments.submissions.reset();
    instruments.submissionsOldest.remove();
    const counts = await store.submissions.counts();
    for (const status of submissionStatuses) {
      const count = counts.find((each) => each.status === status)?.count ?? 0;
      instruments.submissions.set({ status: status.toLowerCase() }, count);
    }
    const [oldest] = await store.submissions.listPending(1);
    instruments.submissionsOldest.set(ageOf(oldest?.sentAt ?? null));
  }
  async function readDatabase(): Promise<void> {
    const pool = store.pool();
    if (pool) {
      instruments.connections.set({ state: "idle" }, pool.idle);
      instruments.connections.set({ state: "busy" }, pool.open - pool.idle);
      instruments.connectionsAwaited.set(pool.waiting);
    } else instruments.connectionsAwaited.remove();
    instruments.writable.set(Number(await store.isWritable()));
  }
  async function readDisks(): Promise<void> {
    for (const [folder, path] of Object.entries(folders)) {
      const { bavail, blocks, bsize } = await statfs(path);
      instruments.diskFree.set({ folder }, bavail * bsize);
      instruments.diskSize.set({ folder }, blocks * bsize);
    }
  }
  async function readAlerts(): Promise<void> {
    instruments.alertsOpen.reset();
    for (const [rule, count] of await store.alerts.openCounts()) instruments.alertsOpen.set({ rule }, count);
  }
  const readings = [
    readLog,
    readAlerts,
    readDestinations,
    readQuarantine,
    readReconcile,
    readRecordings,
    readSubmissions,
    readDisks,
  ];

  async function readAll(reads: readonly (() => Promise<void>)[]): Promise<void> {
    for (const { status, reason } of (await Promise.allSettled(reads.map((read) => read()))) as PromiseRejectedResult[])
      if (status === "rejected") log.warn({ err: reason as unknown }, "a metric cannot be read");
  }
  let stored: Promise<void> = Promise.resolve();
  let storedUntil = 0;
  let database: Promise<void> | null = null;
  function readStoredOnce(): Promise<void> {
    const at = performance.now();
    if (at < storedUntil) return stored;
    storedUntil = at + STORED_MS;
    return (stored = readAll(readings));
  }

  return async () => {
    total(instruments.logLinesLost, log.lostLines());
    readService();
    readSubscribers();
    readLogCheck();
    readLostEvents();
    readClock();
    database ??= readAll([readDatabase]).finally(() => (database = null));
    await Promise.all([readStoredOnce(), database]);
  };
}
