// Keeps projections up to date: a durable reader for each build that this gateway's version of the rule makes, begins and swaps builds, and
// deletes the rows of those that were replaced. On many gateways one at a time adds to a build.
import { setTimeout as pause } from "node:timers/promises";
import { shareRead } from "../events/batchedRead.ts";
import { startDurableReader, type DurableReaderDeps } from "../events/durableReader.ts";
import type { EventLog } from "../events/eventLog.ts";
import type { EventObserver } from "../events/eventObserver.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import { createEventCursors, createRowParser, positionOf, type RowParser } from "../events/logEntry.ts";
import {
  readerOfBuild,
  type Contribute,
  type ProjectionBuild,
  type ProjectionStore,
} from "../store/projections/projectionStore.ts";
import type { Signer } from "../util/hmac.ts";
import { createSignal, type Signal } from "../util/signal.ts";
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
  /**
   * The same for an event that was just told, at most EVENT_WAIT_MS. Where such a wait was in vain, later events do not wait until the rows
   * show the one that was waited for: a subscription tells events one after the other, and would fall behind.
   */
  shows(name: string, cursor: string): Promise<boolean>;
}

export interface ProjectionDeps extends Pick<DurableReaderDeps, "readers" | "leases" | "log" | "times"> {
  events: DurableReaderDeps["events"] & Pick<EventLog, "markHead">;
  projections: readonly Projection[];
  store: ProjectionStore;
  signer: Signer;
  observer: Pick<EventObserver, "readerStarted" | "readerEnded">;
  /** From one look at the builds to the next. */
  intervalMs?: number;
  /** How long events gather at most where nobody waits for rows: a transaction for many of them costs each one less. */
  gatherMs?: number;
}

const INTERVAL_MS = 1000;
const GATHER_MS = 250;
/** Usually an event that somebody waits for is shown after a tenth of a second, and where another gateway adds to the build after half a second. */
export const EVENT_WAIT_MS = 1000;
/** Another gateway may be the one that adds to a build. */
const LOOK_AGAIN_MS = 200;
/** After so many looks without a change the build of another version is taken for one that no gateway makes any more. */
const STILL_LOOKS = 60;
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
  const rowsWanted = createSignal();
  /** The last position of each live build that was seen. */
  const known = new Map<string, string>();
  /** The event that was waited for in vain, until the rows show it. */
  const missed = new Map<string, string>();
  const keepers = projections.map((projection) =>
    startKeeper(projection, { ...deps, eventOrNull, intervalMs, onAdded: added.notify, rowsWanted, head }),
  );

  /** Thousands may wait for the same event. */
  const readBuilds = shareRead(store.builds);

  async function livePosition(name: string): Promise<string> {
    const live = (await readBuilds()).find((build) => build.name === name && build.state === "LIVE");
    const position = live?.cursor ?? "";
    known.set(name, position);
    return position;
  }
  /** Plain cursors sort in the order of the log; hidden ones do not. */
  const plain = (cursor: string): string => cursors.at(cursors.parse(cursor));
  async function reach(name: string, wanted: string, withinMs: number): Promise<boolean> {
    if ((known.get(name) ?? "") >= wanted) return true;
    const deadline = performance.now() + withinMs;
    const listener = added.listen();
    try {
      for (;;) {
        listener.reset();
        if ((await livePosition(name)) >= wanted) return true;
        const left = deadline - performance.now();
        rowsWanted.notify();
        if (left <= 0) return false;
        await listener.wait(Math.min(left, LOOK_AGAIN_MS));
      }
    } finally {
      listener.close();
    }
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
    waitFor: async (name, cursor, withinMs) => reach(name, plain(cursor), withinMs),
    async shows(name, cursor) {
      const wanted = plain(cursor);
      const before = missed.get(name);
      if (before !== undefined && (await reach(name, before, 0))) missed.delete(name);
      const isShown = await reach(name, wanted, missed.has(name) ? 0 : EVENT_WAIT_MS);
      if (!isShown && !missed.has(name)) missed.set(name, wanted);
      return isShown;
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
  rowsWanted: Signal;
  head: () => string;
}

/** Looks at the builds of one projection again and again, and does what they need. */
function startKeeper({ name, version, contributionOf }: Projection, deps: KeeperDeps): AsyncDisposable {
  const { store, observer, eventOrNull, log, intervalMs, onAdded, rowsWanted, head, gatherMs = GATHER_MS } = deps;
  const contribute: Contribute<CallEndedEvent> = {
    seqOf: positionOf,
    ofEntry: contributionOf,
    ofRow(row) {
      const event = eventOrNull(row);
      return event && contributionOf(event, row.seq);
    },
  };
  const readers = new Map<string, AsyncDisposable>();
  let hasBegun = false;
  let still = { cursor: "", looks: 0 };
  /** The end of the log at the look before this one, which a build reaches also while calls keep coming. */
  let headBefore = head();

  function startReader(build: ProjectionBuild): AsyncDisposable {
    return startDurableReader({
      ...deps,
      name: readerOfBuild(build),
      gathering: { ms: gatherMs, wanted: rowsWanted },
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
  /** Whether nothing was added to the build of another version for many looks, so that no gateway makes it any more. */
  function standsStill(cursor: string, end: string): boolean {
    still = cursor < end && cursor === still.cursor ? { cursor, looks: still.looks + 1 } : { cursor, looks: 0 };
    return still.looks >= STILL_LOOKS;
  }
  async function look(signal: AbortSignal): Promise<void> {
    const [reached, now] = [headBefore, head()];
    headBefore = now;
    if (!hasBegun) await store.begin(name, version, false);
    hasBegun = true;
    if (await store.swap(name, reached))
      log.info({ projection: name }, "a new build of a projection has taken the place of the old one");
    const builds = (await store.builds()).filter((build) => build.name === name && build.state !== "RETIRED");
    const own = builds.filter((build) => build.version === version);
    if (own.length === 0) hasBegun = !standsStill(builds[0]?.cursor ?? "", reached);
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
