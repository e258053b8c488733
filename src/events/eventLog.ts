// The log of ended calls: the spine of the gateway. What was appended is on disk; what was read is never taken back; a
// reader that has seen a cursor never later finds an event before it.
import type { Instant } from "../dialect/instant.ts";
import { instantOf } from "../dialect/instant.ts";
import type { Seal } from "../seal.ts";
import type { EventPage, EventRow, EventRowFilter, EventStore, NewEventRow } from "../store/eventStore.ts";
import { createBell } from "./bell.ts";
import { wasAnswered, type CallEndedData, type CallEndedEvent } from "./callEnded.ts";
import { createEventCursors } from "./eventCursor.ts";
import { follow } from "./follow.ts";
import { createGroupCommit } from "./groupCommit.ts";

export type EventFilter = EventRowFilter;

export interface EventLog {
  /**
   * Resolves when the event is on disk; "known" where the call was in the log already, and then nothing was written and
   * nobody is told. Throws STORE_UNAVAILABLE, and then nothing was kept.
   */
  append(call: CallEndedData): Promise<"appended" | "known">;
  /**
   * Every event behind `after`, in order, then each as it is appended, without a gap or a repeat; null: from now on.
   * Ends only by `return()`, at once. Throws CURSOR_INVALID before anything is read.
   */
  follow(options: { after: string | null; filter: EventFilter }): Promise<AsyncIterableIterator<CallEndedEvent>>;
  /** `first` events at most, and whether there are more behind them. Throws CURSOR_INVALID. */
  page(options: EventPageOptions): Promise<{ events: CallEndedEvent[]; hasMore: boolean; headCursor: string }>;
  bySession(sessionId: string): Promise<CallEndedEvent | null>;
}

export interface EventPageOptions {
  first: number;
  after: string | null;
  filter: EventFilter;
  order: EventPage["order"];
}

export interface EventLogDeps {
  store: EventStore;
  seal: Seal;
  clock: () => number;
}

const BATCH = 500;
const QUEUE = 20_000;

export function createEventLog({ store, seal, clock }: EventLogDeps): EventLog {
  const cursors = createEventCursors(seal);
  const bell = createBell();
  const eventOf = (row: EventRow): CallEndedEvent => ({
    cursor: cursors.at(row.seq),
    receivedAt: row.receivedAt,
    ...(JSON.parse(row.data) as CallEndedData),
  });
  const commit = createGroupCommit({
    commit: (rows: readonly NewEventRow[]) => store.append(rows),
    batch: BATCH,
    queue: QUEUE,
  });

  return {
    async append(call) {
      const fresh = await commit(rowOf(call, instantOf(clock())));
      if (fresh) bell.ring();
      return fresh ? "appended" : "known";
    },
    async follow({ after, filter }) {
      const place = after === null ? await store.head() : cursors.read(after);
      return follow({ store, bell, place, filter, eventOf });
    },
    async page({ first, after, filter, order }) {
      const place = after === null ? null : cursors.read(after);
      // The head is read before the rows: a subscription behind it may repeat a row of the page, but cannot miss one.
      const head = await store.head();
      const rows = await store.read({ filter, after: place, order, limit: first + 1 });
      return {
        events: rows.slice(0, first).map(eventOf),
        hasMore: rows.length > first,
        headCursor: cursors.at(head),
      };
    },
    async bySession(sessionId) {
      const row = await store.bySession(sessionId);
      return row && eventOf(row);
    },
  };
}

function rowOf(call: CallEndedData, receivedAt: Instant): NewEventRow {
  return {
    sessionId: call.sessionId,
    receivedAt,
    endedAt: call.endAt ?? receivedAt,
    direction: call.direction,
    hangupSide: call.hangupSide,
    answered: wasAnswered(call),
    taskId: call.taskId,
    caller: call.caller,
    callee: call.callee,
    assistantIds: call.assistants.map(({ assistantId }) => assistantId),
    data: JSON.stringify(call),
  };
}
