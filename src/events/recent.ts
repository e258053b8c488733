// The newest stretch of the log, in memory and read once for all: readers near the head are served from here, so that ten
// thousand of them do not read the database ten thousand times.
import type { Log } from "../log.ts";
import type { EventRow, EventStore } from "../store/eventStore.ts";
import { createBell, type Bell } from "./bell.ts";
import type { CallEndedEvent } from "./callEnded.ts";

export interface RecentEntry {
  seq: number;
  event: CallEndedEvent;
  /** Its earlier revisions, for a call is told at the first that passes a filter. */
  earlier: readonly CallEndedEvent[];
}

export interface Recent extends AsyncDisposable {
  /** The first entries behind a place, in order, `most` at most; null where the stretch does not reach back so far. */
  behind(seq: number, most: number): readonly RecentEntry[] | null;
  /** The place up to which the log is known here. */
  head(): number;
  /** Rung when the stretch has grown. */
  bell: Bell;
  /** Looks for what was appended since. Resolves when it has been read; a failure is logged, and the next look reads it. */
  look(): Promise<void>;
}

export interface RecentOptions {
  store: Pick<EventStore, "read" | "head" | "revisionsOf">;
  eventOf: (row: EventRow) => CallEndedEvent;
  log: Log;
}

const KEPT = 2000;
const BATCH = 500;

export async function openRecent({ store, eventOf, log }: RecentOptions): Promise<Recent> {
  const bell = createBell();
  let from = await store.head();
  let entries: RecentEntry[] = [];
  let looking: Promise<void> | null = null;
  let again = false;
  const head = () => entries.at(-1)?.seq ?? from;

  async function entryOf(row: EventRow): Promise<RecentEntry> {
    const earlier = row.revision === 1 ? [] : await store.revisionsOf(row.sessionId);
    const before = earlier.filter(({ revision }) => revision < row.revision);
    return { seq: row.seq, event: eventOf(row), earlier: before.map(eventOf) };
  }

  async function read(): Promise<void> {
    for (;;) {
      const page = { filter: {}, revisions: true, after: head(), order: "oldestFirst", limit: BATCH } as const;
      const rows = await store.read(page);
      if (rows.length === 0) return;
      const grown = [...entries, ...(await Promise.all(rows.map(entryOf)))];
      entries = grown.slice(-KEPT);
      // What fell off the stretch: whoever stands before its first entry's predecessor reads the store.
      from = grown.at(-KEPT - 1)?.seq ?? from;
      bell.ring();
    }
  }

  async function readUntilQuiet(): Promise<void> {
    do {
      again = false;
      await read();
    } while (again);
  }

  return {
    bell,
    head,
    behind(seq, most) {
      if (seq < from) return null;
      // Readers stand close to the end: the first entry behind them is looked for from there.
      let start = entries.length;
      while (start > 0 && (entries[start - 1] as RecentEntry).seq > seq) start -= 1;
      return entries.slice(start, start + most);
    },
    look() {
      again = true;
      looking ??= readUntilQuiet()
        .catch((err: unknown) => log.warn({ err }, "the log cannot be read; what was appended is told later"))
        .finally(() => {
          looking = null;
        });
      return looking;
    },
    async [Symbol.asyncDispose]() {
      await looking;
    },
  };
}
