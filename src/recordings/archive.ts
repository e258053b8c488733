// The archive of recordings. A durable reader of the event log adds a job for every recording link; downloads fetch them.
import { join } from "node:path";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { EventObserver } from "../events/eventObserver.ts";
import { linkOf } from "../events/mergeCalls.ts";
import { startDurableReader, type DurableReaderDeps } from "../events/durableReader.ts";
import type { Logger } from "../logger.ts";
import type { RecordingTraces } from "../store/recordings/purgeRecordings.ts";
import type { NewRecording, RecordingRow, RecordingStore } from "../store/recordings/recordingStore.ts";
import { createLogAggregator } from "../util/logAggregator.ts";
import { startDownloads, type DownloadsDeps } from "./downloads.ts";
import { createFetcher, type FetcherOptions } from "./fetchRecording.ts";
import { createFindRecordings, storableLink, type FindRecordings } from "./findRecordings.ts";
import type { RecordingStorage } from "./recordingStorage.ts";
import { createSettledRecordings, type SettledRecordings } from "./settledRecordings.ts";
import { openSpool } from "./spool.ts";
import { HOUR_MS, MINUTE_MS } from "../util/durations.ts";
import { epochMsOf } from "../format/instant.ts";

export interface ArchiveDeps extends Pick<DurableReaderDeps, "events" | "readers" | "leases"> {
  observer?: Pick<EventObserver, "readerStarted" | "recordingLost"> | undefined;
  recordings: RecordingStore;
  storage: RecordingStorage;
  /** For files in transit; best on the same disk as the storage. */
  directory: string;
  fetcher: FetcherOptions;
  retentionMs: number;
  clock: () => number;
  /** For what expires. */
  cautiousClock: () => number;
  log: Logger;
  downloads?: Pick<DownloadsDeps, "times" | "retries">;
}

export interface Archive extends AsyncDisposable {
  find: FindRecordings;
  /** Streams recordings that were archived or lost, on any gateway. */
  settled: Pick<SettledRecordings, "follow">;
  /** Call it when another gateway may have archived or lost a recording. */
  notify(): void;
  /** Removes the files of erased recordings from the storage and from this gateway's spool. */
  remove(traces: RecordingTraces): Promise<void>;
  /** Deletes at most `limit` recordings of calls received before that instant, with their files. Returns how many. */
  purge(receivedBefore: string, limit: number): Promise<number>;
  /**
   * Deletes at most `limit` files of the storage that were saved before that instant and belong to no recording, as a killed gateway can
   * leave them. Looks again when all were seen a day ago, less the time between two purges. Returns how many.
   */
  sweep(savedBefore: string, limit: number): Promise<number>;
}

/** With the hour between two purges, a file is deleted within a day after it has expired. */
const SWEEP_EVERY_MS = 22 * HOUR_MS;

/** The name of the reader that adds the jobs. */
const READER = "recordings";
/** An incomplete file of this age belongs to no running download. */
const MAX_PART_AGE_MS = HOUR_MS;
/** A file that was saved more recently may belong to a recording that is not in the database yet. */
const MIN_PURGE_AGE_MS = HOUR_MS;

/** Throws an Error of one line if its folder is not writable now. */
export async function openArchive(deps: ArchiveDeps): Promise<Archive> {
  const { events, readers, leases, recordings, storage, retentionMs, observer, clock, log } = deps;
  await using parts = new AsyncDisposableStack();
  const spool = await openSpool(join(deps.directory, "incoming"));
  // The times of files are of this machine's clock or of the storage's. The earlier time deletes less.
  const fileTime = () => Math.min(Date.now(), deps.cautiousClock());
  await spool.clean({ parts: fileTime() - MAX_PART_AGE_MS, whole: fileTime() - retentionMs });
  const settled = createSettledRecordings(recordings, log);
  const { notify } = settled;
  const fetcher = parts.use(createFetcher(deps.fetcher));
  const logLost = (reasons: Record<string, number>) => log.warn({ reasons }, "recordings are lost");
  const lost = parts.use(createLogAggregator(logLost, { intervalMs: MINUTE_MS, reportsFirstAtOnce: true }));
  const onLost = (reason: string) => {
    lost.add(reason);
    observer?.recordingLost();
  };
  const downloads = parts.use(
    startDownloads({
      recordings,
      fetcher,
      spool,
      storage,
      onSettled: notify,
      onLost,
      clock,
      log,
      ...deps.downloads,
    }),
  );

  /** A refused link is marked, so that it becomes LOST without a download. */
  function toRecordings(event: CallEndedEvent): NewRecording[] {
    const { sessionId, revision, receivedAt } = event;
    const link = linkOf(event);
    if (link === null) return [];
    const url = storableLink(link);
    return [{ sessionId, revision, receivedAt, url, refusal: fetcher.refusalOf(url) }];
  }
  async function handle(batch: readonly CallEndedEvent[]): Promise<void> {
    const added = batch.flatMap(toRecordings);
    await recordings.add(added);
    for (const { refusal } of added) if (refusal !== null) onLost(refusal);
    if (added.some(({ refusal }) => refusal !== null)) notify();
    if (added.some(({ refusal }) => refusal === null)) downloads.notify();
  }
  parts.use(startDurableReader({ name: READER, events, readers, leases, handle, observer, log }));
  const purge = async (receivedBefore: string, limit: number) => {
    const { sessionIds, contents } = await recordings.listExpired(receivedBefore, limit);
    const recent = new Set<string | null>();
    for (const sha256 of contents) {
      if (!(await storage.remove(sha256, fileTime() - MIN_PURGE_AGE_MS))) recent.add(sha256);
    }
    // After the files: if the storage fails, the rows still name what is left in it. So do the rows of recent files until the next purge.
    const rows = recent.size > 0 ? await recordings.bySessions(sessionIds) : new Map<string, RecordingRow>();
    const deleted = sessionIds.filter((id) => !recent.has(rows.get(id)?.sha256 ?? null));
    await recordings.delete(deleted);
    return deleted.length;
  };
  let sweepsFrom = -Infinity;
  const sweep = async (savedBefore: string, limit: number) => {
    if (performance.now() < sweepsFrom) return 0;
    const before = Math.min(epochMsOf(savedBefore), fileTime() - retentionMs);
    let removed = 0;
    for await (const sha256 of storage.savedBefore(before)) {
      if (await recordings.hasContent(sha256)) continue;
      await storage.remove(sha256, before);
      removed += 1;
      if (removed === limit) return removed;
    }
    sweepsFrom = performance.now() + SWEEP_EVERY_MS;
    return removed;
  };

  const find = createFindRecordings({ recordings, readers, reader: READER, refusalOf: fetcher.refusalOf });

  const remove = async ({ jobs, contents }: RecordingTraces) => {
    for (const job of jobs) await spool.remove(job);
    for (const sha256 of contents) await storage.remove(sha256, Infinity);
  };

  const running = parts.move();
  return { find, settled, notify, purge, sweep, remove, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
