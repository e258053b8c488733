// The newest stretch of the log, in memory and read once for all: readers near the head are served from here, so that ten
// thousand of them do not read the database ten thousand times.
import type { Log } from "../log.ts";
import type { EventRow, EventStore } from "../store/log/eventStore.ts";
import { createSignal, type Signal } from "../util/signal.ts";
import type { CallEndedEvent } from "./callEndedEvent.ts";

export interface ReplayEntry {
  seq: number;
  /** Null: damaged, and told as a gap. */
  event: CallEndedEvent | null;
  /** Its earlier revisions, for a call is told at the first that passes a filter. */
  earlier: readonly CallEndedEvent[];
  /** Characters of JSON of all of these. */
  size: number;
}

export interface Appended {
  seq: number;
  event: CallEndedEvent;
  /** Characters of its JSON. */
  size: number;
}

export interface ReplayCache extends AsyncDisposable {
  /** The first entries behind a place, in order, `most` at most; null where the stretch does not reach back so far. */
  behind(seq: number, most: number): readonly ReplayEntry[] | null;
  /** The place up to which the log is known here. */
  head(): number;
  /** Another number once something was erased: what was read before may be told to nobody. */
  erasures(): number;
  /** Rung when the stretch has grown. */
  bell: Signal;
  /**
   * To be called before an append, and what it gives with what was appended, in order: where nothing came in between, it
   * is told without being read again, in the same turn; else it is looked for.
   */
  expect(): (appended: readonly Appended[]) => void;
  /** Looks for what was appended since. Resolves when it has been read; a failure is logged, and the next look reads it. */
  look(): Promise<void>;
}

export interface ReplayCacheOptions {
  store: Pick<EventStore, "read" | "head" | "revisionsOf" | "erasures">;
  /** Null: damaged. */
  eventOf: (row: EventRow) => CallEndedEvent | null;
  /** Told the call of each entry that was read, damaged ones too. */
  onRead: (sessionId: string) => void;
  /** Told that entries were erased from the middle of the log: what is remembered of any may be gone. */
  onErased: () => void;
  /** Told of each entry that was read, in order, before any reader is. */
  onEvent?: ((event: CallEndedEvent) => void) | undefined;
  log: Log;
}

const KEPT = 2000;
/** Characters of JSON of the entries kept: they are as large as a sender likes. */
const KEPT_SIZE = 64 * 1024 * 1024;
const BATCH = 500;
const RETRY_MS = 1000;

export async function openReplayCache({
  store,
  eventOf,
  onRead,
  onErased,
  onEvent,
  log,
}: ReplayCacheOptions): Promise<ReplayCache> {
  const bell = createSignal();
  /** Whoever stands before it reads the store. */
  let from = await store.head();
  let erasures = await store.erasures();
  let head = from;
  let entries: ReplayEntry[] = [];
  let size = 0;
  let looking: Promise<void> | null = null;
  let again = false;
  let retry: NodeJS.Timeout | undefined;
  let isOver = false;
  let isFailing = false;

  async function entryOf(row: EventRow): Promise<ReplayEntry> {
    const event = eventOf(row);
    const revisions = row.revision === 1 ? [] : await store.revisionsOf(row.sessionId);
    const before = revisions.filter(({ revision }) => revision < row.revision);
    const earlier = before.map(eventOf).filter((known) => known !== null);
    const size = row.data.length + before.reduce((sum, { data }) => sum + data.length, 0);
    return { seq: row.seq, event, earlier, size };
  }

  /** The newest that fit; `from` moves over what falls off. */
  function keep(grown: readonly ReplayEntry[]): void {
    entries.push(...grown);
    size += grown.reduce((sum, entry) => sum + entry.size, 0);
    let gone = 0;
    for (let left = entries.length; left > KEPT || (size > KEPT_SIZE && left > 1); left -= 1) {
      const oldest = entries[gone] as ReplayEntry;
      size -= oldest.size;
      from = oldest.seq;
      gone += 1;
    }
    entries.splice(0, gone);
    head = grown.at(-1)?.seq ?? head;
    bell.ring();
  }

  /** Whether it is what follows on the last entry, with nothing before it to be read. */
  function isNext(appended: readonly Appended[]): boolean {
    return looking === null && appended.every(({ seq, event }, at) => event.revision === 1 && seq === head + 1 + at);
  }

  async function read(): Promise<void> {
    for (;;) {
      const page = {
        filter: {},
        revisions: true,
        after: head,
        through: null,
        order: "oldestFirst",
        limit: BATCH,
      } as const;
      const rows = await store.read(page);
      if (rows.length === 0) return;
      for (const { sessionId } of rows) onRead(sessionId);
      const grown = await Promise.all(rows.map(entryOf));
      for (const { event } of grown) if (event) onEvent?.(event);
      keep(grown);
    }
  }

  /** What was erased must not be told from memory: the stretch begins anew. */
  async function dropErased(): Promise<void> {
    const count = await store.erasures();
    if (count === erasures) return;
    erasures = count;
    entries = [];
    size = 0;
    from = head;
    onErased();
  }

  async function readUntilQuiet(): Promise<void> {
    try {
      do {
        again = false;
        await dropErased();
        await read();
        if (isFailing) log.info({}, "the log can be read again");
        isFailing = false;
      } while (again);
    } catch (err) {
      if (isOver) return;
      // Once: it is looked again each second.
      if (!isFailing) log.warn({ err }, "the log cannot be read; what was appended is told later");
      isFailing = true;
      retry = setTimeout(() => void look(), RETRY_MS);
    } finally {
      // In the same turn as the last look at `again`: a call in between would be lost.
      looking = null;
    }
  }

  function look(): Promise<void> {
    again = true;
    clearTimeout(retry);
    looking ??= readUntilQuiet();
    return looking;
  }

  return {
    bell,
    head: () => head,
    erasures: () => erasures,
    behind(seq, most) {
      if (seq < from) return null;
      // Readers stand close to the end: the first entry behind them is looked for from there.
      let start = entries.length;
      while (start > 0 && (entries[start - 1] as ReplayEntry).seq > seq) start -= 1;
      return entries.slice(start, start + most);
    },
    expect() {
      const before = erasures;
      return (appended) => {
        if (appended.length === 0) return;
        // What was erased since might be among them.
        if (erasures === before && isNext(appended)) keep(appended.map((entry) => ({ ...entry, earlier: [] })));
        else void look();
      };
    },
    look,
    async [Symbol.asyncDispose]() {
      isOver = true;
      clearTimeout(retry);
      await looking;
    },
  };
}
