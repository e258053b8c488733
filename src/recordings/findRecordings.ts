// Finds the recordings of calls. The archive's reader adds the job of a recording some milliseconds after its event, so an
// event that the reader has not reached yet is answered with what the reader will add.
import { shareRead } from "../events/batchedRead.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import { linkOf } from "../events/mergeCalls.ts";
import type { RecordingRow, RecordingStore } from "../store/recordings/recordingStore.ts";
import type { ReaderStore } from "../store/shared/readerStore.ts";

export interface RecordedCall {
  sessionId: string;
  /** The event that is shown. Null: the call is not in the log, and only a stored recording is found. */
  event: CallEndedEvent | null;
}

/** By `nameOfCall`, without entries for calls that have no recording. Throws STORE_UNAVAILABLE. */
export type FindRecordings = (calls: readonly RecordedCall[]) => Promise<ReadonlyMap<string, RecordingRow>>;

export interface FindRecordingsDeps {
  recordings: Pick<RecordingStore, "bySessions">;
  readers: Pick<ReaderStore, "readCursor">;
  /** The name of the archive's reader. */
  reader: string;
  /** Why the archive will not download a link. Null: it will. */
  refusalOf: (link: string) => string | null;
}

export function nameOfCall({ sessionId, event }: RecordedCall): string {
  return event ? `${event.revision} ${sessionId}` : sessionId;
}

/** No database stores NUL or half characters, and no host serves such a link. */
export function storableLink(link: string): string {
  return link.replaceAll("\0", "").toWellFormed();
}

export function createFindRecordings(deps: FindRecordingsDeps): FindRecordings {
  const { recordings, readers, reader, refusalOf } = deps;
  const readCursor = shareRead(() => readers.readCursor(reader));

  /** What the reader will make of an event: PENDING, or LOST with the reason of the refusal. */
  function expectedOf({ sessionId, revision, receivedAt }: CallEndedEvent, link: string): RecordingRow {
    const failure = refusalOf(link);
    const status = failure === null ? "PENDING" : "LOST";
    const lostAt = failure === null ? null : receivedAt;
    const content = { sha256: null, contentType: null, bytes: null, archivedAt: null, lostAt, settled: null };
    return { sessionId, revision, receivedAt, url: link, status, failure, ...content };
  }

  /** `isAhead`: the reader has not reached the event. */
  function choose(row: RecordingRow | null, event: CallEndedEvent, isAhead: boolean): RecordingRow | null {
    if (!isAhead) return row;
    const given = linkOf(event) ?? event.recordUrl;
    if (given === null) return row;
    const link = storableLink(given);
    if (row === null) return expectedOf(event, link);
    const isNewJob = row.status === "LOST" && row.revision < event.revision && row.url !== link;
    return isNewJob ? expectedOf(event, link) : row;
  }

  return async (calls) => {
    const hasLinks = calls.some(({ event }) => event !== null && event.recordUrl !== null);
    // Before the rows: the row of each event up to this cursor was added, so a missing one was deleted.
    const reached = hasLinks ? await readCursor() : null;
    const rows = await recordings.bySessions(calls.map(({ sessionId }) => sessionId));
    const found = new Map<string, RecordingRow>();
    for (const call of calls) {
      const { event } = call;
      const row = rows.get(call.sessionId) ?? null;
      const isAhead = () => reached === null || (event !== null && event.cursor > reached);
      const chosen = event === null || event.recordUrl === null ? row : choose(row, event, isAhead());
      if (chosen) found.set(nameOfCall(call), chosen);
    }
    return found;
  };
}
