// Makes observed rows for tests of the doctor's judgements.
import { observeTime, type ObservedRow } from "../../src/doctor/observe.ts";

/** Times in seconds since 2026. */
export function row({ id = "", start = 0, end = 0, taskId = null as string | null }): ObservedRow {
  const time = (seconds: number) => observeTime(Date.UTC(2026, 0, 1) + seconds * 1000);
  return {
    key: id,
    sessionId: id,
    times: { startAt: time(start), answerAt: observeTime(null), endAt: time(end) },
    direction: null,
    taskId,
    assistantIds: [],
    versionIds: [],
  };
}
