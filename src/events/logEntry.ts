// Turns rows of the log into events. Also holds what belongs to one entry of the log: its cursor, and the record of damage.
import { CodedError } from "../errors.ts";
import { ownNumber, type Logger } from "../logger.ts";
import type { EventRow } from "../store/events/eventStore.ts";
import type { Signer } from "../util/hmac.ts";
import type { CallEndedData, CallEndedEvent, EventSource } from "./callEndedEvent.ts";
import { createHiddenCursors, type CursorView } from "./cursorView.ts";

export interface EventCursors {
  /** The signed cursor of the entry with this number. Cursors sort by code unit in the order of the log. */
  at(seq: number): string;
  /** The number of the cursor's entry, plain or hidden. Throws CURSOR_INVALID for a text that this key did not sign. */
  parse(cursor: string): number;
  /** For viewers that see some rows only. */
  hidden: CursorView;
}

/** Base-36 digits of a sequence number. A fixed width makes texts sort like numbers; 36^10 exceeds any number of calls. */
const CURSOR_DIGITS = 10;

export function createEventCursors(signer: Signer): EventCursors {
  const hidden = createHiddenCursors(signer);
  function parse(cursor: string): number {
    const digits = signer.verify("event", cursor);
    // Both forms from every viewer: one whose access has changed goes on with the cursor that it has.
    const seq = digits === null ? hidden.parse(cursor) : Number.parseInt(digits, 36);
    if (seq === null) throw new CodedError("CURSOR_INVALID", "The cursor does not belong to this log.");
    return seq;
  }
  return {
    at: (seq) => signer.sign("event", seq.toString(36).padStart(CURSOR_DIGITS, "0")),
    parse,
    hidden: {
      ofEvent: (cursor) => hidden.at(parse(cursor), true),
      ofPlace: (cursor) => hidden.at(parse(cursor), false),
    },
  };
}

/** The damaged entries that this gateway knows: their rows differ from what was written. */
export interface DamagedEntries {
  /** Records a damaged entry and logs it the first time. */
  report(seq: number, err?: unknown): void;
  /** True if at least one damaged entry is known. */
  any(): boolean;
  /** The numbers of the damaged entries after `after` and up to `through`, in order. */
  between(after: number, through: number): number[];
}

export function createDamagedEntries(known: readonly number[], log: Logger): DamagedEntries {
  const damaged = new Set<number>();
  const report = (seq: number, err?: unknown) => {
    if (damaged.has(seq)) return;
    damaged.add(seq);
    log.error(
      { seq: ownNumber(seq), ...(err ? { err } : {}) },
      "an entry of the log is damaged; subscribers receive a gap instead of it",
    );
  };
  for (const seq of known) report(seq);
  return {
    report,
    any: () => damaged.size > 0,
    between: (after, through) =>
      [...damaged].filter((seq) => seq > after && seq <= through).toSorted((one, other) => one - other),
  };
}

/** `cursor`: where a client that reads page by page continues after the damaged entry. */
export function damagedEntryError(cursor?: string): CodedError {
  return new CodedError("STORE_UNAVAILABLE", "An entry of the log is damaged and cannot be read.", {
    retryable: false,
    ...(cursor === undefined ? {} : { cursor }),
  });
}

/** Converts rows to events. Every method but `eventAt` records the damage that it finds. */
export interface RowParser {
  /** The event for a call that is known already; parses nothing. */
  eventAt(row: Pick<EventRow, "seq" | "revision" | "source" | "receivedAt">, call: CallEndedData): CallEndedEvent;
  /** Null for a damaged row. For followers, which report a gap and continue. */
  eventOrNull(row: EventRow): CallEndedEvent | null;
  /** Throws STORE_UNAVAILABLE for a damaged row. */
  eventOrThrow(row: EventRow): CallEndedEvent;
  /** An error for a damaged row. For batches, where other rows are still answered. */
  eventOrError(row: EventRow): CallEndedEvent | Error;
}

export function createRowParser(cursors: EventCursors, damage: Pick<DamagedEntries, "report">): RowParser {
  const eventAt = createEventAt(cursors);
  const eventOrError = (row: EventRow): CallEndedEvent | Error => {
    try {
      if (!row.isIntact) throw damagedEntryError();
      return eventAt(row, JSON.parse(row.data) as CallEndedData);
    } catch (err) {
      damage.report(row.seq, err);
      return damagedEntryError();
    }
  };
  return {
    eventAt,
    eventOrError,
    eventOrNull(row) {
      const event = eventOrError(row);
      return event instanceof Error ? null : event;
    },
    eventOrThrow(row) {
      const event = eventOrError(row);
      if (event instanceof Error) throw event;
      return event;
    },
  };
}

const SEQ = Symbol("seq");
const CURSOR = Symbol("cursor");

interface LazyCursor {
  [SEQ]: number;
  [CURSOR]: string | null;
}

/**
 * Signs an event's cursor when it is first read: lists of calls never read it. The getter is on a shared prototype, so
 * the thousands of events in memory keep one small shape.
 */
function createEventAt(cursors: EventCursors): RowParser["eventAt"] {
  const prototype = {
    get cursor(): string {
      const event = this as unknown as LazyCursor;
      return (event[CURSOR] ??= cursors.at(event[SEQ]));
    },
  };
  return ({ seq, revision, source, receivedAt }, call) => {
    const event = {
      __proto__: prototype,
      [SEQ]: seq,
      [CURSOR]: null,
      revision,
      source: source as EventSource,
      receivedAt,
      ...call,
    };
    return event as unknown as CallEndedEvent;
  };
}

/** The position of an event that a RowParser made. Its cursor tells the same, but has to be signed and verified. */
export const positionOf = (event: CallEndedEvent): number => (event as unknown as LazyCursor)[SEQ];

/** `cursor`: after it come the events that were restored or found again. */
export function lostCursorError(cursor: string): CodedError {
  const message =
    "The cursor's event was lost when the database was restored from a backup or failed over. Continue with extensions.cursor.";
  return new CodedError("CURSOR_INVALID", message, { cursor });
}
