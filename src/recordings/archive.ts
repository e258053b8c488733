// The archive of recordings: a reader of the log that makes a job of every URL, and downloads that work the jobs off.
import { join } from "node:path";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import { linkOf } from "../events/mergeCalls.ts";
import { startDurableReader, type DurableReaderDeps } from "../events/durableReader.ts";
import type { Log } from "../log.ts";
import type { RecordingTraces } from "../store/recordings/purgeRecordings.ts";
import type { NewRecording, RecordingStore } from "../store/recordings/recordingStore.ts";
import { createLogAggregator } from "../util/logAggregator.ts";
import { startDownloads, type DownloadsDeps } from "./downloads.ts";
import { createFetcher, type FetcherOptions } from "./fetchRecording.ts";
import type { RecordingStorage } from "./recordingStorage.ts";
import { openSettledRecordings, type SettledRecordings } from "./settledRecordings.ts";
import { openSpool } from "./spool.ts";

export interface ArchiveDeps extends Pick<DurableReaderDeps, "events" | "readers" | "leases"> {
  recordings: RecordingStore;
  storage: RecordingStorage;
  /** For files on their way; best on the storage's own disk. */
  directory: string;
  fetcher: FetcherOptions;
  retentionMs: number;
  clock: () => number;
  log: Log;
  downloads?: Pick<DownloadsDeps, "times" | "retries">;
}

export interface Archive extends AsyncDisposable {
  /** What was archived or lost, on any gateway. */
  settled: Pick<SettledRecordings, "follow">;
  /** To be called when another gateway may have archived something. */
  notify(): void;
  /** Removes the files of recordings that were erased, from the storage and from this gateway's disk. */
  remove(traces: RecordingTraces): Promise<void>;
  /** Forgets up to `limit` recordings of calls that were received before that instant, and their contents; how many. */
  purge(receivedBefore: string, limit: number): Promise<number>;
}

const HOUR = 3_600_000;
/** No download takes so long. */
const DEAD_PART_MS = HOUR;
/** A content that was kept again in this time may be of a recording that is not written down yet. */
const YOUNG_MS = HOUR;

/** Throws a ConfigError where its folder cannot be had. */
export async function openArchive(deps: ArchiveDeps): Promise<Archive> {
  const { events, readers, leases, recordings, storage, retentionMs, clock, log } = deps;
  await using parts = new AsyncDisposableStack();
  const spool = await openSpool(join(deps.directory, "incoming"));
  await spool.clean({ parts: Date.now() - DEAD_PART_MS, whole: Date.now() - retentionMs });
  const settled = parts.use(await openSettledRecordings(recordings, log));
  const look = () => void settled.notify();
  const fetcher = parts.use(createFetcher(deps.fetcher));
  const tellLost = (reasons: Record<string, number>) => log.warn({ reasons }, "recordings are lost");
  const lost = parts.use(createLogAggregator(tellLost, { intervalMs: 1000, reportsFirstAtOnce: false }));
  const downloads = parts.use(
    startDownloads({
      recordings,
      fetcher,
      spool,
      storage,
      onSettled: look,
      onLost: lost.add,
      clock,
      log,
      ...deps.downloads,
    }),
  );

  /** Those whose link must not be asked are lost at once: they are no work for the downloads. */
  function recordingOf(event: CallEndedEvent): NewRecording[] {
    const { sessionId, revision, receivedAt } = event;
    const link = linkOf(event);
    if (link === null) return [];
    // What no database can hold; a link with it leads nowhere.
    const url = link.replaceAll("\0", "").toWellFormed();
    return [{ sessionId, revision, receivedAt, url, refusal: fetcher.refusalOf(url) }];
  }
  async function handle(batch: readonly CallEndedEvent[]): Promise<void> {
    const told = batch.flatMap(recordingOf);
    await recordings.add(told);
    for (const { refusal } of told) if (refusal !== null) lost.add(refusal);
    if (told.some(({ refusal }) => refusal !== null)) look();
    if (told.some(({ refusal }) => refusal === null)) downloads.notify();
  }
  parts.use(startDurableReader({ name: "recordings", events, readers, leases, from: "oldest", handle, log }));
  const purge = async (receivedBefore: string, limit: number) => {
    const { sessionIds, contents } = await recordings.listExpired(receivedBefore, limit);
    for (const sha256 of contents) await storage.remove(sha256, Date.now() - YOUNG_MS);
    // Not before: where the storage failed, nothing would know any more what is left in it.
    await recordings.delete(sessionIds);
    return sessionIds.length;
  };

  const remove = async ({ jobs, contents }: RecordingTraces) => {
    for (const job of jobs) await spool.remove(job);
    for (const sha256 of contents) await storage.remove(sha256, Infinity);
  };

  const running = parts.move();
  return { settled, notify: look, purge, remove, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
