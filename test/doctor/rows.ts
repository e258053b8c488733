// A row as the doctor sees it, for tests of what it makes of rows.
import type { SeenRow } from "../../src/doctor/observed.ts";
import { seeTime } from "../../src/doctor/timeForm.ts";

/** Times in seconds since 2026. */
export function row({ id = "", start = 0, end = 0, taskId = null as string | null }): SeenRow {
  const time = (seconds: number) => seeTime(Date.UTC(2026, 0, 1) + seconds * 1000);
  return {
    key: id,
    sessionId: id,
    times: { startAt: time(start), answerAt: seeTime(null), endAt: time(end) },
    direction: null,
    taskId,
    assistantIds: [],
    versionIds: [],
  };
}
