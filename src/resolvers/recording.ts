// Recordings of calls, and the signed URLs at which a viewer may play them.
import type { JoinedCall } from "./call.ts";
import type { Context } from "./context.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import { matchesFilter } from "../events/callEndedEvent.ts";
import type { RecordedCall } from "../recordings/findRecordings.ts";
import type { RecordingRow } from "../store/recordings/recordingStore.ts";
import { eventFilter, type CallEndedFilter } from "./callEnded.ts";
import { mayRead } from "./inputRules.ts";
import type { CallLogRecord } from "../upstream/upstream.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { mapItems } from "../util/iterators.ts";

export interface Recording extends RecordingRow {
  /** Epoch milliseconds. Each read of a recording makes a new URL. */
  addressExpiresAt: number;
}

const URL_LIFETIME_MS = 15 * MINUTE_MS;

/** Null where no event gave a URL of the call's recording. */
async function recordingOf(call: RecordedCall, context: Context): Promise<Recording | null> {
  mayRead(context);
  const row = await context.known.recording.load(call);
  return row && withExpiry(row, context);
}

export function recordingOfEvent(event: CallEndedEvent, context: Context): Promise<Recording | null> {
  return recordingOf({ sessionId: event.sessionId, event }, context);
}

export async function recordingOfCall(
  call: CallLogRecord | Omit<JoinedCall, "row">,
  context: Context,
): Promise<Recording | null> {
  const { sessionId } = call;
  if (sessionId === null) return null;
  // An event that is damaged has no address, but its recording may be archived.
  const known = "event" in call ? await Promise.try(call.event).catch(() => null) : null;
  return recordingOf({ sessionId, event: known }, context);
}

export async function recordingById(sessionId: string, context: Context): Promise<Recording | null> {
  const event = () => context.known.newestEvent.load(sessionId);
  return recordingOfCall({ sessionId, event }, context);
}

/** The newest event of the recording's call. Null where it is no longer in the log. */
export function callEndedOfRecording(sessionId: string, context: Context): Promise<CallEndedEvent | null> {
  mayRead(context);
  return context.known.newestEvent.load(sessionId);
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

/** Recordings as they become ARCHIVED or LOST on any gateway, of calls whose newest event matches the filter. */
export async function followSettled(
  given: CallEndedFilter | null | undefined,
  context: Context,
): Promise<AsyncIterableIterator<Recording>> {
  const filter = eventFilter(given);
  const isFiltered = Object.keys(filter).length > 0;
  const rows = await context.recordings.followSettled();
  const matches = (event: CallEndedEvent | null) => event !== null && matchesFilter(event, filter);
  return mapItems(rows, async (row) => {
    const isShown = !isFiltered || matches(await context.events.bySession(row.sessionId));
    return isShown ? withExpiry(row, context) : undefined;
  });
}

/** The URL expires no later than the viewer's credentials, in whole seconds. */
function withExpiry(row: RecordingRow, { clock, viewer }: Context): Recording {
  const endsAt = Math.min(clock() + URL_LIFETIME_MS, viewer.tokenEndsAt ?? Infinity);
  return { ...row, addressExpiresAt: Math.floor(endsAt / 1000) * 1000 };
}
