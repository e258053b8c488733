// What the gateway has archived of a call, and the address at which this viewer may hear it.
import type { Context } from "./context.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import { matchesFilter } from "../events/callEndedEvent.ts";
import type { RecordingRow } from "../store/recordings/recordingStore.ts";
import { eventFilter, type CallEndedFilter } from "./callEnded.ts";
import { mayRead } from "./inputRules.ts";

export interface Recording extends RecordingRow {
  /** Epoch milliseconds: of the address, which is made anew each time it is asked for. */
  addressExpiresAt: number;
}

const LISTEN_MS = 15 * 60_000;

/** Null where no URL was ever told of the call. */
export async function recordingOf(sessionId: string | null, context: Context): Promise<Recording | null> {
  mayRead(context);
  const row = sessionId === null ? null : await context.known.recording.load(sessionId);
  return row && withExpiry(row, context);
}

/** Null unless ARCHIVED. */
export function recordingAddress(
  { sessionId, status, addressExpiresAt: expiresAt }: Recording,
  { recordings, viewer }: Context,
): string | null {
  return status === "ARCHIVED"
    ? recordings.address({ sessionId, viewer: viewer.name, byToken: viewer.tokenEndsAt !== undefined, expiresAt })
    : null;
}

/** Recordings of calls whose newest event the filter lets through, as they settle on any gateway. */
export function followSettled(
  given: CallEndedFilter | null | undefined,
  context: Context,
): AsyncIterableIterator<Recording> {
  const filter = eventFilter(given);
  const isFiltered = Object.keys(filter).length > 0;
  const rows = context.recordings.followSettled();
  const passes = (event: CallEndedEvent | null) => event !== null && matchesFilter(event, filter);
  return {
    async next() {
      for (;;) {
        const { done, value } = await rows.next();
        if (done) return { done: true, value: undefined };
        if (isFiltered && !passes(await context.events.bySession(value.sessionId))) continue;
        return { done: false, value: withExpiry(value, context) };
      }
    },
    async return() {
      await rows.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** No later than the viewer's credentials, in whole seconds. */
function withExpiry(row: RecordingRow, { clock, viewer }: Context): Recording {
  const endsAt = Math.min(clock() + LISTEN_MS, viewer.tokenEndsAt ?? Infinity);
  return { ...row, addressExpiresAt: Math.floor(endsAt / 1000) * 1000 };
}
