// Sorts the rows of a search: ended calls without an event are told, calls that go on are remembered, the rest is left.
import { instantOf, type Instant } from "../format/instant.ts";
import type { EventLog } from "../events/eventLog.ts";
import type { Log } from "../log.ts";
import type { OpenCallStore } from "../store/shared/openCallStore.ts";
import type { CallLogRecord } from "../upstream/upstream.ts";
import { hasEnded, reconciledCall, sessionIdOf } from "./reconciledCall.ts";
import type { UnnamedRows } from "./unnamedRows.ts";

export interface CallReporter {
  addRows(rows: readonly CallLogRecord[]): Promise<void>;
  /** In order of their ends, as the webhooks would have come. Resolves when they are in the log. */
  appendMissed(): Promise<void>;
}

export interface CallReporterDeps {
  events: Pick<EventLog, "append">;
  openCalls: OpenCallStore;
  unnamedRows: UnnamedRows;
  /** How long events are kept: a call that ended before may have been told, and forgotten. */
  retentionMs: number;
  clock: () => number;
  log: Log;
}

const AT_ONCE = 100;

/** `from`: where the search began, the start of a call that tells none. */
export function createCallReporter(deps: CallReporterDeps, from: Instant): CallReporter {
  const { events, openCalls, unnamedRows, retentionMs, clock, log } = deps;
  const missed = new Map<string, CallLogRecord>();

  return {
    async addRows(rows) {
      const unnamed = unnamedRows.add(rows.filter((row) => sessionIdOf(row) === null));
      if (unnamed > 0) log.warn({ rows: unnamed }, "rows of the call log have no session id, and are not told");

      // Of a call that stands in two rows, one that has ended counts: the other may never end.
      const endedLast = rows.toSorted((a, b) => Number(hasEnded(a)) - Number(hasEnded(b)));
      const named = new Map(endedLast.flatMap((row) => namedRow(row) ?? []));
      const untold = await openCalls.findWithoutEvent([...named.keys()]);
      const found = [...named].filter(([sessionId]) => untold.has(sessionId));
      const ended = found.filter(([, row]) => hasEnded(row));
      const goingOn = found.filter(([, row]) => !hasEnded(row));
      await openCalls.add(goingOn.map(([sessionId, row]) => ({ sessionId, startAt: row.startAt ?? from })));

      const horizon = instantOf(clock() - retentionMs);
      const isForgotten = (row: CallLogRecord) => (lastOf(row) ?? from) < horizon;
      await openCalls.delete(ended.filter(([, row]) => isForgotten(row)).map(([sessionId]) => sessionId));
      for (const [sessionId, row] of ended) if (!isForgotten(row)) missed.set(sessionId, row);
    },
    async appendMissed() {
      const calls = [...missed].toSorted(([, a], [, b]) => compare(a.endAt ?? "", b.endAt ?? ""));
      missed.clear();
      let told = 0;
      for (let at = 0; at < calls.length; at += AT_ONCE) {
        const appended = await Promise.all(
          calls
            .slice(at, at + AT_ONCE)
            .map(([sessionId, row]) => events.append(reconciledCall(sessionId, row), "RECONCILED")),
        );
        told += appended.filter((outcome) => outcome === "appended").length;
      }
      if (told > 0) log.info({ calls: told }, "ended calls of which no webhook came were found in the call log");
    },
  };
}

function namedRow(row: CallLogRecord): [[string, CallLogRecord]] | null {
  const sessionId = sessionIdOf(row);
  return sessionId === null ? null : [[sessionId, row]];
}

/** An end before its call's start is wrong, or stands for none. */
function lastOf({ startAt, endAt }: CallLogRecord): Instant | null {
  return startAt !== null && endAt !== null && startAt > endAt ? startAt : (endAt ?? startAt);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
