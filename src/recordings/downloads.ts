// Downloads the recordings that are due: the newest first, 24 at a time, each on one gateway.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { instantOf } from "../format/instant.ts";
import { createSignal } from "../util/signal.ts";
import type { Logger } from "../logger.ts";
import { refusalCodeOf } from "../store/storeError.ts";
import type { RecordingJob, RecordingStore } from "../store/recordings/recordingStore.ts";
import type { Fetcher } from "./fetchRecording.ts";
import type { RecordingStorage } from "./recordingStorage.ts";
import { FetchFailure, nextRetryMs, RETRY_SCHEDULE, type RetrySchedule } from "./retrySchedule.ts";
import type { Spool, Spooled } from "./spool.ts";

export interface DownloadsDeps {
  recordings: RecordingStore;
  fetcher: Pick<Fetcher, "fetch">;
  spool: Spool;
  storage: RecordingStorage;
  /** Called after each recording that this gateway archived or gave up. */
  onSettled: () => void;
  /** Called with the reason when a recording is given up. */
  onLost: (reason: string) => void;
  clock: () => number;
  log: Logger;
  times?: DownloadTimes;
  retries?: RetrySchedule;
}

export interface DownloadTimes {
  /** Another gateway takes over the downloads of a killed one after this time. */
  leaseMs: number;
  renewMs: number;
  /** Pause between two polls, so that jobs that end quickly are replaced together. */
  pauseMs: number;
  /** How often the database is polled for due jobs; jobs that this gateway added begin at once. */
  pollMs: number;
  /** Between two tries to save a fetched file, when the storage or the database fails. */
  retryMs: number;
}

export interface Downloads extends AsyncDisposable {
  /** Call it when a job was added. */
  notify(): void;
}

const TIMES: DownloadTimes = { leaseMs: 30_000, renewMs: 10_000, pauseMs: 20, pollMs: 1000, retryMs: 1000 };
export const MAX_DOWNLOADS = 24;

/** Disposing it aborts the running downloads and releases their jobs for other gateways. */
export function startDownloads(deps: DownloadsDeps): Downloads {
  const {
    recordings,
    fetcher,
    spool,
    storage,
    onSettled,
    onLost,
    clock,
    log,
    times = TIMES,
    retries = RETRY_SCHEDULE,
  } = deps;
  const holder = randomUUID();
  const stopped = new AbortController();
  const { signal } = stopped;
  const changes = createSignal();
  const listener = changes.listen();
  const running = new Map<RecordingJob, Promise<void>>();

  /** From the spool, if an earlier try fetched it, or else from its host. */
  async function obtain(job: RecordingJob): Promise<Spooled> {
    return (await spool.find(job)) ?? spool.add(job, (file) => fetcher.fetch(job.url, file, signal));
  }

  /**
   * Repeats until it succeeds or the gateway stops, because the link may have expired by now. What the database refuses waits outside, so
   * that it does not take the place of others; its file stays in the spool.
   */
  async function archive(job: RecordingJob, { file, ...content }: Spooled): Promise<void> {
    while (!signal.aborted) {
      try {
        await storage.save(file, content);
        const archivedAt = instantOf(clock());
        const isNew = await recordings.settle(holder, job, { status: "ARCHIVED", ...content, archivedAt });
        await spool.remove(job);
        // The call may have been erased meanwhile; then nothing else removes the file.
        if (!isNew && !(await recordings.hasContent(content.sha256))) await storage.remove(content.sha256, Infinity);
        if (isNew) onSettled();
        return;
      } catch (err) {
        const refused = refusalCodeOf(err);
        if (refused !== null) throw new FetchFailure(`The database refuses the recording (${refused}).`, "forADay");
        log.warn({ err }, "a fetched recording cannot be saved; it is tried again");
        await pause(times.retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async function postponeOrGiveUp(job: RecordingJob, { message, retry }: FetchFailure): Promise<void> {
    const afterMs = nextRetryMs(retries, job.attempts, retry);
    if (afterMs !== null) return recordings.postpone(holder, job, message, afterMs);
    const lost = { status: "LOST", failure: message, lostAt: instantOf(clock()) } as const;
    if (await recordings.settle(holder, job, lost)) onSettled();
    onLost(message);
  }

  async function work(job: RecordingJob): Promise<void> {
    try {
      await archive(job, await obtain(job));
      if (signal.aborted) await recordings.release(holder, job);
    } catch (error) {
      if (signal.aborted) return recordings.release(holder, job);
      await postponeOrGiveUp(job, error instanceof FetchFailure ? error : localFailure(error));
    }
  }

  /** For example a full disk or a folder without write permission. */
  function localFailure(err: unknown): FetchFailure {
    log.error({ err }, "a recording could not be written to the disk");
    return new FetchFailure("The gateway could not write the file.", "forADay");
  }

  function begin(job: RecordingJob): void {
    const done = work(job)
      // The job's lease runs out, and it is tried again.
      .catch((err: unknown) => log.warn({ err }, "the outcome of a download could not be stored; it is tried again"))
      .then(() => {
        running.delete(job);
        changes.notify();
      });
    running.set(job, done);
  }

  async function poll(): Promise<void> {
    const free = MAX_DOWNLOADS - running.size;
    if (free === 0) return;
    for (const job of await recordings.claim(holder, free, times.leaseMs)) begin(job);
  }

  async function pollForEver(): Promise<void> {
    while (!signal.aborted) {
      listener.reset();
      await poll().catch((err: unknown) => log.warn({ err }, "due downloads could not be read from the database"));
      await pause(times.pauseMs, undefined, { signal }).catch(() => undefined);
      await listener.wait(times.pollMs);
    }
  }

  async function renew(): Promise<void> {
    const sessionIds = [...running.keys()].map(({ sessionId }) => sessionId);
    await recordings.renew(holder, sessionIds, times.leaseMs).catch((err: unknown) => {
      log.warn({ err }, "the leases of running downloads could not be renewed");
    });
  }

  const polling = pollForEver();
  const renewing = setInterval(() => void renew(), times.renewMs);
  return {
    notify: () => changes.notify(),
    async [Symbol.asyncDispose]() {
      stopped.abort();
      clearInterval(renewing);
      listener.close();
      await polling;
      await Promise.all(running.values());
    },
  };
}
