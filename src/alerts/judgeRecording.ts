// What a settled recording says to rules on lost recordings.
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import { epochMsOf } from "../format/instant.ts";
import type { RecordingRow } from "../store/recordings/recordingStore.ts";
import type { WindowRule } from "./alertFile.ts";
import { isOfNow, type JudgedEntries } from "./judgeCall.ts";

/** A recording that was archived or lost. `call` null: its call is no longer in the log. */
export interface SettledEntry {
  /** Its place in the order of settling, such that texts have the order of numbers. */
  cursor: string;
  recording: RecordingRow;
  call: CallEndedEvent | null;
}

const DIGITS = 16;
export const placeOf = (settled: number): string => String(settled).padStart(DIGITS, "0");

/** One that is lost and then fetched by a further link settles twice, and counts by its last outcome. */
export const settledRecordings: JudgedEntries<SettledEntry> = {
  reader: "alerts of recordings",
  isFor: (rule): rule is WindowRule => rule.kind === "recordingsLost",
  read({ recording, call }) {
    if (call === null || !isOfNow(call)) return null;
    const { archivedAt, lostAt, receivedAt } = recording;
    return { call, at: epochMsOf(archivedAt ?? lostAt ?? receivedAt) };
  },
  isHit: (_, { recording: { status } }) => (status === "PENDING" ? null : status === "LOST"),
};
