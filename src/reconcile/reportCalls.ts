// Compares rows of the service's call log with the event log: appends ended calls that have no event, and remembers calls
// that are still open.
import { createHash } from "node:crypto";
import { callOfRow, sessionIdOf } from "../events/callOfRow.ts";
import type { EventLog } from "../events/eventLog.ts";
import { unstorableReasonOf } from "../store/unstorable.ts";
import { instantOf, type Instant } from "../format/instant.ts";
import type { Logger } from "../logger.ts";
import { createBoundedCache } from "../util/boundedCache.ts";
import { commitInHalves } from "../util/groupCommit.ts";
import type { OpenCallStore } from "../store/shared/openCallStore.ts";
import type { CallLogRecord } from "../upstream/upstream.ts";

export interface CallReporter {
  addRows(rows: readonly CallLogRecord[]): Promise<void>;
  /** Appends the ended calls without an event, in the order of their ends. Resolves when they are in the log. */
  appendMissed(): Promise<void>;
}

export interface CallReporterDeps {
  events: Pick<EventLog, "append">;
  openCalls: OpenCallStore;
  /** Rows that are not appended. They are told once, in all searches together. */
  ignoredRows: IgnoredRows;
  /** How long events are retained. A call that ended earlier is not appended, because its event may have been purged. */
  retentionMs: number;
  clock: () => number;
  log: Logger;
}

const APPEND_BATCH = 100;

/** `from`: the beginning of the searched range, which stands in for an unknown start of a call. */
export function createCallReporter(deps: CallReporterDeps, from: Instant): CallReporter {
  const { events, openCalls, ignoredRows, retentionMs, clock, log } = deps;
  const missed = new Map<string, CallLogRecord>();

  /** "refused": it cannot be stored, however often it is found. It is tried again when its row has changed. */
  const append = ([sessionId, row]: [string, CallLogRecord]) =>
    events.append(callOfRow(sessionId, row), "RECONCILED").catch((error: unknown) => {
      if (unstorableReasonOf(error) === null) throw error;
      return "refused" as const;
    });

  /** Stores calls in progress. */
  async function remember(open: readonly [string, CallLogRecord][]): Promise<void> {
    const refused: CallLogRecord[] = [];
    await commitInHalves(open, {
      commit: (some) =>
        openCalls.add(some.map(([sessionId, { startAt }]) => ({ sessionId, startAt: startAt ?? from }))),
      isRefusal: (error) => unstorableReasonOf(error) !== null,
      onRefused: ([, row]) => refused.push(row),
    });
    const calls = ignoredRows.refused.addNew(refused);
    if (calls > 0) log.error({ calls }, "calls in progress of the call log cannot be stored");
  }

  return {
    async addRows(rows) {
      const unnamed = ignoredRows.unnamed.addNew(rows.filter((row) => sessionIdOf(row) === null));
      if (unnamed > 0) log.warn({ rows: unnamed }, "rows of the call log without a session ID are ignored");

      // If a call has two rows, the ended one counts: the other may stay open for ever.
      const endedLast = rows.toSorted((a, b) => Number(hasEnded(a)) - Number(hasEnded(b)));
      const bySession = new Map(endedLast.flatMap(withSessionId));
      // Asks the event log: store/shared/openCallStore.ts.
      const withoutEvent = await openCalls.findWithoutEvent([...bySession.keys()]);
      const found = [...bySession].filter(([sessionId]) => withoutEvent.has(sessionId));
      const ended = found.filter(([, row]) => hasEnded(row));
      await remember(found.filter(([, row]) => !hasEnded(row) && !ignoredRows.refused.has(row)));

      const oldestRetained = instantOf(clock() - retentionMs);
      const isTooOld = (row: CallLogRecord) => (lastTimeOf(row) ?? from) < oldestRetained;
      await openCalls.delete(ended.filter(([, row]) => isTooOld(row)).map(([sessionId]) => sessionId));
      const isDue = (row: CallLogRecord) => !isTooOld(row) && !ignoredRows.refused.has(row);
      for (const [sessionId, row] of ended) if (isDue(row)) missed.set(sessionId, row);
    },
    async appendMissed() {
      const calls = [...missed].toSorted(([, a], [, b]) => compare(a.endAt ?? "", b.endAt ?? ""));
      missed.clear();
      let [appended, refused] = [0, 0];
      for (let index = 0; index < calls.length; index += APPEND_BATCH) {
        const batch = calls.slice(index, index + APPEND_BATCH);
        const outcomes = await Promise.all(batch.map(append));
        appended += outcomes.filter((outcome) => outcome === "appended").length;
        refused += ignoredRows.refused.addNew(
          batch.filter((_, at) => outcomes[at] === "refused").map(([, row]) => row),
        );
      }
      if (refused > 0)
        log.error({ calls: refused }, "ended calls of the call log cannot be stored in the log of events");
      if (appended > 0) log.info({ calls: appended }, "ended calls without a webhook were found in the call log");
    },
  };
}

function withSessionId(row: CallLogRecord): [string, CallLogRecord][] {
  const sessionId = sessionIdOf(row);
  return sessionId === null ? [] : [[sessionId, row]];
}

/** An end that was sent but cannot be read counts as an end; the event lists it in `unread`. */
export function hasEnded({ endAt, unread }: CallLogRecord): boolean {
  return endAt !== null || unread.some(({ field }) => field === "endAt");
}

/** An end before the start of its call is wrong, or a placeholder. */
function lastTimeOf({ startAt, endAt }: CallLogRecord): Instant | null {
  return startAt !== null && endAt !== null && startAt > endAt ? startAt : (endAt ?? startAt);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Remembers the last 10,000 rows of a kind, by digests: these keep phone numbers out of memory. */
export interface RememberedRows {
  has(row: CallLogRecord): boolean;
  /** Returns how many of them were not remembered. */
  addNew(rows: readonly CallLogRecord[]): number;
}

export interface IgnoredRows {
  /** Rows without a session ID: nothing identifies their call. */
  unnamed: RememberedRows;
  /** Rows that the database refuses. */
  refused: RememberedRows;
}

const MAX_REMEMBERED_ROWS = 10_000;

export function createIgnoredRows(): IgnoredRows {
  // An unnamed call has only what does not change during the call.
  const lasting = ({ taskId, startAt, caller, callee, direction }: CallLogRecord) => [
    taskId,
    startAt,
    caller,
    callee,
    direction,
  ];
  return { unnamed: rememberRows(lasting), refused: rememberRows((row) => row) };
}

function rememberRows(identityOf: (row: CallLogRecord) => unknown): RememberedRows {
  const known = createBoundedCache<string, true>({ maxEntries: MAX_REMEMBERED_ROWS });
  const keyOf = (row: CallLogRecord) =>
    createHash("sha256")
      .update(JSON.stringify(identityOf(row)))
      .digest("base64");
  return {
    has: (row) => known.has(keyOf(row)),
    addNew(rows) {
      const keys = rows.map(keyOf);
      const found = keys.filter((key, at) => !known.has(key) && keys.indexOf(key) === at);
      for (const key of keys) known.set(key, true);
      return found.length;
    },
  };
}
