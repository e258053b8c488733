// Keeps projections up to date: a durable reader for each build that this gateway's version of the rule makes, begins and swaps builds, and
// deletes the rows of those that were replaced. On many gateways one at a time adds to a build.
import { setTimeout as pause } from "node:timers/promises";
import { shareRead } from "../events/batchedRead.ts";
import { startDurableReader, type DurableReaderDeps } from "../events/durableReader.ts";
import type { EventLog } from "../events/eventLog.ts";
import type { EventObserver } from "../events/eventObserver.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import { createEventCursors, createRowParser, type RowParser } from "../events/logEntry.ts";
import {
  readerOfBuild,
  type Contribute,
  type ProjectionBuild,
  type ProjectionStore,
} from "../store/projections/projectionStore.ts";
import type { Signer } from "../util/hmac.ts";
import { createSignal } from "../util/signal.ts";
import { startRepeating } from "../util/startRepeating.ts";

export interface Projection {
  name: string;
  /** Changes with the rule. */
  version: string;
  /** Null: the call contributes nothing. */
  contributionOf(event: CallEndedEvent, seq: number): unknown;
}

export type ProjectionState = ProjectionBuild["state"];

export interface ProjectionStatus extends ProjectionBuild {
  /** The positions of the log that it has not read. */
  behind: number;
}

export interface Projections extends AsyncDisposable {
  /** All builds, of each projection in order. Throws STORE_UNAVAILABLE. */
  builds(): Promise<ProjectionStatus[]>;
  /** Begins a new build beside the live one. False: there is no such projection. Throws STORE_UNAVAILABLE. */
  rebuild(name: string): Promise<boolean>;
  /**
   * Waits until the rows that readers get were made up to the cursor of the log, at most `withinMs`. False: they were not. Throws
   * CURSOR_INVALID and STORE_UNAVAILABLE.
   */
  waitFor(name: string, cursor: string, withinMs: number): Promise<boolean>;
}

export interface ProjectionDeps extends Pick<DurableReaderDeps, "readers" | "leases" | "log" | "times"> {
  events: DurableReaderDeps["events"] & Pick<EventLog, "markHead">;
  projections: readonly Projection[];
  store: ProjectionStore;
  signer: Signer;
  observer: Pick<EventObserver, "readerStarted" | "readerEnded">;
  /** From one look at the builds to the next. */
  intervalMs?: number;
}

const INTERVAL_MS = 1000;
/** Another gateway may be the one that adds to a build. */
const LOOK_AGAIN_MS = 200;
/** Rows of each table that are deleted in one transaction, and the pause after it. */
const DELETED = 1000;
const DELETE_PAUSE_MS = 20;

export function startProjections(deps: ProjectionDeps): Projections {
  const { projections, store, signer, log, intervalMs = INTERVAL_MS } = deps;
  const cursors = createEventCursors(signer);
  // A follower of the log has reported a damaged entry.
  const { eventOrNull } = createRowParser(cursors, { report: () => undefined });
  const head = () => deps.events.markHead()();
  const added = createSignal();
  /** The last position of each live build that was seen. It never goes back. */
  const known = new Map<string, string>();
  const keepers = projections.map((projection) =>
    startKeeper(projection, { ...deps, eventOrNull, intervalMs, onAdded: added.notify }),
  );

  /** Thousands may wait for the same event. */
  const readBuilds = shareRead(store.builds);

  async function livePosition(name: string): Promise<string> {
    const live = (await readBuilds()).find((build) => build.name === name && build.state === "LIVE");
    const position = live?.cursor ?? "";
    known.set(name, position);
    return position;
  }
  return {
    async builds() {
      const builds = await store.builds();
      const newest = cursors.parse(head());
      const positionOf = (cursor: string | null) => (cursor === null ? 0 : cursors.parse(cursor));
      return builds.map((build) => ({ ...build, behind: Math.max(0, newest - positionOf(build.cursor)) }));
    },
    async rebuild(name) {
      const projection = projections.find((each) => each.name === name);
      if (!projection) return false;
      await store.begin(name, projection.version, true);
      log.info({ projection: name }, "a projection is made anew");
      return true;
    },
    async waitFor(name, cursor, withinMs) {
      // Plain cursors sort in the order of the log; hidden ones do not.
      const wanted = cursors.at(cursors.parse(cursor));
      if ((known.get(name) ?? "") >= wanted) return true;
      const deadline = performance.now() + withinMs;
      const listener = added.listen();
      try {
        for (;;) {
          listener.reset();
          if ((await livePosition(name)) >= wanted) return true;
          const left = deadline - performance.now();
          if (left <= 0) return false;
          await listener.wait(Math.min(left, LOOK_AGAIN_MS));
        }
      } finally {
        listener.close();
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(keepers.map((keeper) => keeper[Symbol.asyncDispose]()));
    },
  };
}

interface KeeperDeps extends ProjectionDeps {
  eventOrNull: RowParser["eventOrNull"];
  intervalMs: number;
  onAdded: () => void;
}

/** Looks at the builds of one projection again and again, and does what they need. */
function startKeeper({ name, version, contributionOf }: Projection, deps: KeeperDeps): AsyncDisposable {
  const { store, observer, eventOrNull, log, intervalMs, onAdded } = deps;
  const contribute: Contribute<CallEndedEvent> = {
    ofEntry: contributionOf,
    ofRow(row) {
      const event = eventOrNull(row);
      return event && contributionOf(event, row.seq);
    },
  };
  const readers = new Map<string, AsyncDisposable>();
  let hasBegun = false;

  function startReader(build: ProjectionBuild): AsyncDisposable {
    return startDurableReader({
      ...deps,
      name: readerOfBuild(build),
      from: "oldest",
      async handle(entries, signal) {
        if (await store.add(build, entries, contribute)) return onAdded();
        // It is retired: the next look stops this reader.
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      },
    });
  }
  async function stopReader(reader: string): Promise<void> {
    await readers.get(reader)?.[Symbol.asyncDispose]();
    readers.delete(reader);
    observer.readerEnded(reader);
  }
  async function look(signal: AbortSignal): Promise<void> {
    if (!hasBegun) await store.begin(name, version, false);
    hasBegun = true;
    if (await store.swap(name))
      log.info({ projection: name }, "a new build of a projection has taken the place of the old one");
    const own = (await store.builds()).filter(
      (build) => build.name === name && build.version === version && build.state !== "RETIRED",
    );
    const wanted = new Map(own.map((build) => [readerOfBuild(build), build]));
    for (const reader of readers.keys()) if (!wanted.has(reader)) await stopReader(reader);
    if (signal.aborted) return;
    for (const [reader, build] of wanted) if (!readers.has(reader)) readers.set(reader, startReader(build));
    while (!signal.aborted && (await store.deleteRetired(name, DELETED)) > 0)
      await pause(DELETE_PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
  const looking = startRepeating(async (signal) => {
    await look(signal).catch((err: unknown) => {
      log.warn({ projection: name, err }, "the builds of a projection could not be looked at; it is tried again");
    });
    return intervalMs;
  });
  return {
    async [Symbol.asyncDispose]() {
      await looking[Symbol.asyncDispose]();
      await Promise.all(Array.from(readers.values(), (reader) => reader[Symbol.asyncDispose]()));
    },
  };
}
