// Works the recordings off that wait for their download: so many at once, the newest first, each by one gateway.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { instantOf } from "../format/instant.ts";
import { createSignal } from "../util/signal.ts";
import type { Log } from "../log.ts";
import type { RecordingJob, RecordingStore } from "../store/recordings/recordingStore.ts";
import { FetchFailure } from "./fetchFailure.ts";
import type { Fetcher } from "./fetchRecording.ts";
import type { RecordingStorage } from "./recordingStorage.ts";
import { nextRetryMs, RETRY_SCHEDULE, type RetrySchedule } from "./retrySchedule.ts";
import type { Spool, Spooled } from "./spool.ts";

export interface DownloadsDeps {
  recordings: RecordingStore;
  fetcher: Pick<Fetcher, "fetch">;
  spool: Spool;
  storage: RecordingStorage;
  /** Called after each recording that this gateway has archived or given up. */
  onSettled: () => void;
  /** Called with the reason for which one was given up. */
  onLost: (reason: string) => void;
  clock: () => number;
  log: Log;
  times?: DownloadTimes;
  retries?: RetrySchedule;
}

export interface DownloadTimes {
  /** A killed gateway's downloads are another's after so long. */
  leaseMs: number;
  renewMs: number;
  /** Between two looks, so that what ends at once, such as a link that is refused, is replaced together. */
  pauseMs: number;
  /** How often it is looked for what is due; what this gateway was told of is begun at once. */
  pollMs: number;
  /** Between two tries to keep what was fetched, in an outage of the storage or the database. */
  retryMs: number;
}

export interface Downloads extends AsyncDisposable {
  /** There may be something new to fetch. */
  notify(): void;
}

const TIMES: DownloadTimes = { leaseMs: 30_000, renewMs: 10_000, pauseMs: 20, pollMs: 1000, retryMs: 1000 };
export const DOWNLOADS_AT_ONCE = 24;

/** Disposing it ends the downloads under way at once; they are begun anew by whoever is next. */
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
  const bell = createSignal();
  const ear = bell.listen();
  const running = new Map<RecordingJob, Promise<void>>();

  /** From the network, or from what an earlier try has fetched already. */
  async function obtain(job: RecordingJob): Promise<Spooled> {
    return (await spool.find(job)) ?? spool.add(job, (file) => fetcher.fetch(job.url, file, signal));
  }

  /** Until it is done or the gateway stops: what was fetched may not be had a second time. */
  async function archive(job: RecordingJob, { file, ...content }: Spooled): Promise<void> {
    while (!signal.aborted) {
      try {
        await storage.save(file, content);
        const archivedAt = instantOf(clock());
        const isNew = await recordings.settle(holder, job, { status: "ARCHIVED", ...content, archivedAt });
        await spool.remove(job);
        // Its call may have been erased meanwhile, and then nobody else would remove it.
        if (!isNew && !(await recordings.hasContent(content.sha256))) await storage.remove(content.sha256, Infinity);
        if (isNew) onSettled();
        return;
      } catch (err) {
        log.warn({ err }, "a recording was fetched and cannot be kept now; it is tried again");
        await pause(times.retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async function giveUp(job: RecordingJob, { message, retry: hope }: FetchFailure): Promise<void> {
    const afterMs = nextRetryMs(retries, job.attempts, hope);
    if (afterMs !== null) return recordings.postpone(holder, job, message, afterMs);
    if (await recordings.settle(holder, job, { status: "LOST", failure: message })) onSettled();
    onLost(message);
  }

  async function work(job: RecordingJob): Promise<void> {
    try {
      await archive(job, await obtain(job));
      if (signal.aborted) await recordings.release(holder, job);
    } catch (error) {
      if (signal.aborted) return recordings.release(holder, job);
      await giveUp(job, error instanceof FetchFailure ? error : localFailure(error));
    }
  }

  /** A disk that is full, a folder that cannot be written: the operator's to mend. */
  function localFailure(err: unknown): FetchFailure {
    log.error({ err }, "a recording could not be written");
    return new FetchFailure("The gateway could not write the file.", "good");
  }

  function begin(job: RecordingJob): void {
    const done = work(job)
      // Its lease runs out then, and it is tried again.
      .catch((err: unknown) => log.warn({ err }, "what became of a recording could not be written down"))
      .then(() => {
        running.delete(job);
        bell.notify();
      });
    running.set(job, done);
  }

  async function look(): Promise<void> {
    const free = DOWNLOADS_AT_ONCE - running.size;
    if (free === 0) return;
    for (const job of await recordings.claim(holder, free, times.leaseMs)) begin(job);
  }

  async function lookForEver(): Promise<void> {
    while (!signal.aborted) {
      ear.reset();
      await look().catch((err: unknown) => log.warn({ err }, "recordings that are due could not be looked for"));
      await pause(times.pauseMs, undefined, { signal }).catch(() => undefined);
      await ear.wait(times.pollMs);
    }
  }

  async function renew(): Promise<void> {
    const sessionIds = [...running.keys()].map(({ sessionId }) => sessionId);
    await recordings.renew(holder, sessionIds, times.leaseMs).catch((err: unknown) => {
      log.warn({ err }, "downloads under way could not be kept for this gateway");
    });
  }

  const looking = lookForEver();
  const renewing = setInterval(() => void renew(), times.renewMs);
  return {
    notify: () => bell.notify(),
    async [Symbol.asyncDispose]() {
      stopped.abort();
      clearInterval(renewing);
      ear.close();
      await looking;
      await Promise.all(running.values());
    },
  };
}
