// The port of the kinds of destinations: how one event is handed over.
import type { CallEndedEvent } from "../events/callEndedEvent.ts";

/** The position of an event in the log, and what names it. It holds no copy of the call. */
export interface EventReference extends Pick<CallEndedEvent, "sessionId" | "revision" | "receivedAt"> {
  seq: number;
  /** When an imported call ended, by which it expires. Null: the call was not imported. */
  importedEnd: string | null;
}

/**
 * How an attempt ended.
 * - taken: the receiver has it.
 * - failed: it may be tried again. `retryAfterMs`: not before. `isOwn`: the gateway could not make it up now, and nothing was sent.
 * - gone: the receiver wants no event any more.
 * - missing: nothing is left to send, and `why` is null where the event was erased.
 */
export type Attempt =
  | { outcome: "taken"; status: number | null }
  | { outcome: "failed"; status: number | null; text: string | null; retryAfterMs: number | null; isOwn: boolean }
  | { outcome: "gone"; status: number; text: string | null }
  | { outcome: "missing"; why: string | null };

export interface Deliverer extends AsyncDisposable {
  /**
   * Reads the event from the log and hands it over, within a bounded time. A repeat has the same id. Rejects only if the gateway's database
   * fails or the signal aborts; then the receiver may have it.
   */
  deliver(event: EventReference, signal: AbortSignal): Promise<Attempt>;
  /** Hands over something that is marked as a test, within the same time. */
  test(signal: AbortSignal): Promise<Attempt>;
}

/** An event of which nothing is left to hand over, as in `Attempt`. */
export interface MissingEvent {
  event: EventReference;
  why: string | null;
}

/** An event that the gateway could not make up now. */
export interface RefusedEvent {
  event: EventReference;
  made: Extract<Attempt, { outcome: "failed" }>;
}

/**
 * How the events of an hour were handed over.
 * - failed, gone: some may be there.
 * - taken: all are there but these: `missing`: nothing is left of them. `refused`: they may be tried again. `left`: they come after a refused
 *   one that holds them up.
 */
export type HourAttempt =
  | Extract<Attempt, { outcome: "failed" | "gone" }>
  | {
      outcome: "taken";
      missing: readonly MissingEvent[];
      refused: readonly RefusedEvent[];
      left: readonly EventReference[];
    };

/** Hands over many events at once: the deliverer of a kind that gets files. */
export interface HourDeliverer extends Pick<Deliverer, "test">, AsyncDisposable {
  /**
   * Reads events of one hour from the log and hands them over. A repeat doubles none. Rejects as `deliver` does. `hour`: `2026-11-20T09`, of UTC.
   */
  deliverHour(hour: string, events: readonly EventReference[], signal: AbortSignal): Promise<HourAttempt>;
}

export type AnyDeliverer = Deliverer | HourDeliverer;
