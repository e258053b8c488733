// Appends the calls of a window of the call log as IMPORTED, in the order of their ends.
import type { EventLog } from "../events/eventLog.ts";
import { callOfRow, sessionIdOf } from "../events/callOfRow.ts";
import { unstorableReasonOf } from "../store/unstorable.ts";
import type { Instant } from "../format/instant.ts";
import type { OpenCallStore } from "../store/shared/openCallStore.ts";
import type { CallLogRecord } from "../upstream/upstream.ts";

export interface ImportRowsDeps {
  events: Pick<EventLog, "append">;
  openCalls: Pick<OpenCallStore, "findWithoutEvent" | "findOpen">;
  /** What ended earlier is not stored. */
  keptSince: Instant;
  /** Called before each batch. Throws where the import must not go on. */
  checkRuns: () => Promise<void>;
}

export interface RowImporter {
  /** Keeps the rows in memory. A row may come again. */
  addRows(rows: readonly CallLogRecord[]): Promise<void>;
  /**
   * Resolves when the calls are in the log; a call that is there already adds nothing. Returns the keys of the rows that are no ended
   * calls: without a session ID, without an end that can be read, or refused by the database.
   */
  append(): Promise<Set<string>>;
}

/** Small, so that a webhook that comes meanwhile waits for one short commit at most. */
const BATCH = 100;

export function createRowImporter({ events, openCalls, keptSince, checkRuns }: ImportRowsDeps): RowImporter {
  const calls = new Map<string, EndedRow>();
  const leftOut = new Set<string>();

  async function append(row: EndedRow): Promise<void> {
    try {
      await events.append(callOfRow(row.sessionId, row), "IMPORTED");
    } catch (error) {
      if (unstorableReasonOf(error) === null) throw error;
      leftOut.add(keyOf(row));
    }
  }
  async function appendBatch(rows: readonly EndedRow[]): Promise<void> {
    const sessionIds = rows.map(({ sessionId }) => sessionId);
    const unknown = await openCalls.findWithoutEvent(sessionIds);
    // Reconciliation waits for their ends, and tells them as news.
    for (const sessionId of await openCalls.findOpen(sessionIds)) unknown.delete(sessionId);
    await Promise.all(rows.filter(({ sessionId }) => unknown.has(sessionId)).map(append));
  }

  return {
    async addRows(rows) {
      for (const row of rows) {
        const isWrong = isEnded(row) && row.endAt < keptSince && row.startAt !== null && row.startAt >= keptSince;
        if (!isEnded(row) || isWrong) leftOut.add(keyOf(row));
        else if (row.endAt >= keptSince) calls.set(row.sessionId, row);
      }
    },
    async append() {
      const rows = [...calls.values()].toSorted((a, b) => (a.endAt < b.endAt ? -1 : Number(a.endAt > b.endAt)));
      // A call may have two rows, of which one shows no end.
      for (const sessionId of calls.keys()) leftOut.delete(sessionId);
      for (let at = 0; at < rows.length; at += BATCH) {
        await checkRuns();
        await appendBatch(rows.slice(at, at + BATCH));
      }
      return leftOut;
    },
  };
}

type EndedRow = CallLogRecord & { sessionId: string; endAt: Instant };

const keyOf = (row: CallLogRecord) => row.sessionId ?? JSON.stringify(row);

function isEnded(row: CallLogRecord): row is EndedRow {
  return sessionIdOf(row) !== null && row.endAt !== null;
}
