// Reads the recordings that settled since the last look, for rules on lost recordings. Their order of settling is a log of its own: the cursor in it is
// stored with the states, so that each recording counts once on however many gateways.
import type { EventLog } from "../events/eventLog.ts";
import type { ReaderStore } from "../store/shared/readerStore.ts";
import type { RecordingRow, RecordingStore } from "../store/recordings/recordingStore.ts";
import { placeOf, settledRecordings, type SettledEntry } from "./judgeRecording.ts";

export interface SettledReaderDeps {
  recordings: Pick<RecordingStore, "settledAfter" | "settledHead">;
  readers: Pick<ReaderStore, "begin" | "advance">;
  events: Pick<EventLog, "newestOf">;
}

const BATCH = 100;

/**
 * Calls `judge` with batches up to the newest recording. `isAsked` false: no rule asks for them, and they are passed over. Rejects if the store fails;
 * the next call goes on where this one stopped.
 */
export function createSettledReader({ recordings, readers, events }: SettledReaderDeps) {
  const { reader } = settledRecordings;
  async function entriesOf(rows: readonly RecordingRow[]): Promise<SettledEntry[]> {
    const calls = await events.newestOf(rows.map(({ sessionId }) => sessionId));
    return rows.map((recording, at) => {
      const call = calls[at] ?? null;
      return { cursor: placeOf(recording.settled ?? 0), recording, call: call instanceof Error ? null : call };
    });
  }
  return async function read(
    isAsked: boolean,
    judge: (entries: readonly SettledEntry[]) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const head = async () => placeOf(await recordings.settledHead());
    const stored = await readers.begin(reader, head);
    if (!isAsked) {
      const passed = await head();
      if (passed !== stored) await readers.advance(reader, passed);
      return;
    }
    let position = Number(stored);
    while (!signal.aborted) {
      const rows = await recordings.settledAfter(position, BATCH);
      if (rows.length === 0) return;
      await judge(await entriesOf(rows));
      position = rows.at(-1)?.settled ?? position;
    }
  };
}
