// The log of ended calls, and the archive of their recordings.
import { existsSync } from "node:fs";
import { observeCommits } from "../events/eventObserver.ts";
import { openEventLog, type EventLog } from "../events/eventLog.ts";
import { openArchive, type Archive } from "../recordings/archive.ts";
import { createFileStorage, openFolder } from "../recordings/fileStorage.ts";
import { createHostRules } from "../upstream/outside/hostRules.ts";
import { createRecordingAddressSigner, type RecordingAddressSigner } from "../recordings/recordingAddress.ts";
import type { RecordingStorage } from "../recordings/recordingStorage.ts";
import { DAY_MS } from "../util/durations.ts";
import { createChangingSource, type ChangingSource } from "../util/freshness.ts";
import { createSignal, type Signal } from "../util/signal.ts";
import type { Base } from "./base.ts";
import type { Service } from "./createService.ts";
import type { LiveSecrets } from "./liveSecrets.ts";
import type { Storage } from "./createStorage.ts";

export interface Events extends AsyncDisposable {
  events: EventLog;
  /** Changes with each event, and when calls were erased. */
  newestEvents: Pick<ChangingSource, "freshness">;
  archive: Archive;
  recordingStorage: RecordingStorage;
  addresses: RecordingAddressSigner;
  /** Notified when a submission changed, here or on another gateway. */
  submissionChanges: Signal;
}

export interface EventsDeps extends Base {
  secrets: LiveSecrets;
  storage: Storage;
  service: Service;
  /** Called when calls were erased: a cache may hold an erased phone number. */
  onErased: () => void;
}

/** How long a subscription waits for an event before its cursor is moved on without one. */
const CHECKPOINT_MS = 30_000;

/** Throws an Error of one line where recordings cannot be kept now. */
export async function createEvents(deps: EventsDeps): Promise<Events> {
  const { config, storage, service, observers, onErased, tracing, log } = deps;
  const { store, signer } = storage;
  const { recordings } = config;
  const clock = storage.clock.now;
  const newestEvents = createChangingSource();
  await using parts = new AsyncDisposableStack();
  const opened = parts.use(
    await openEventLog({
      store: observeCommits(store.events, observers.events),
      damaged: store.damagedPositions,
      isCheckDue: store.isCheckDue,
      signer,
      checkpointMs: CHECKPOINT_MS,
      // An event ends what is cached of its task. An import tells nothing that is new in the service.
      onEvent({ taskId, source }) {
        if (source !== "IMPORTED") service.client.invalidate(taskId);
        newestEvents.changed();
      },
      onErased() {
        newestEvents.changed();
        onErased();
      },
      clock: storage.clock.entryNow,
      log,
    }),
  );
  const events = tracing.events(opened);
  const recordingStorage = parts.use(await openRecordingStorage(deps));
  const archive = parts.use(
    await openArchive({
      events,
      readers: store.readers,
      leases: store.leases,
      recordings: store.recordings,
      storage: recordingStorage,
      directory: recordings.directory,
      fetcher: { rules: createHostRules(recordings.hosts, recordings.ownHosts) },
      retentionMs: config.retentionDays * DAY_MS,
      observer: observers.events,
      clock,
      cautiousClock: storage.clock.cautiousNow,
      log,
    }),
  );
  const submissionChanges = createSignal();
  // Refreshes the replay cache after a write of any gateway. `through` is null if something else than the log may have changed.
  parts.use(
    store.onNotify((through) => {
      void events.refresh(through);
      if (through !== null) return;
      archive.notify();
      submissionChanges.notify();
    }),
  );
  const addresses = createRecordingAddressSigner(signer, clock);
  const running = parts.move();
  return {
    events,
    newestEvents,
    archive,
    recordingStorage,
    addresses,
    submissionChanges,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const MISSING_FOLDER =
  "RECORDINGS_DIR names no folder, and DATABASE_MUST_EXIST is true: check the path, and whether its volume is mounted";

/** Throws an Error of one line if the folder is not writable now, or missing where it must exist. */
async function openRecordingStorage({ config, secrets: { bucketKeys }, log }: EventsDeps): Promise<RecordingStorage> {
  const { directory, bucket } = config.recordings;
  // Loaded on demand, because most gateways use a folder.
  if (bucket)
    return (await import("../recordings/bucketStorage.ts")).createBucketStorage(bucket, () => bucketKeys(bucket));
  if (!existsSync(directory)) {
    if (config.databaseMustExist) throw new Error(MISSING_FOLDER);
    log.warn({}, "the folder of RECORDINGS_DIR was created: recordings that were archived elsewhere are not found");
  }
  await openFolder(directory);
  return createFileStorage(directory);
}
