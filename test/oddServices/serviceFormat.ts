// Writes a row of the list, a task and a webhook body as an honest service does (service.md, section 2).
import type { Call, Task } from "./world.ts";

/** An id as a JSON number of any size. */
export const rawId = (id: string): unknown => JSON.rawJSON(id);

/** `2026-11-20 09:30:00` on the zone's wall clock. */
export function wallClock(epochMs: number, zone: string): string {
  const key = `${zone} ${epochMs}`;
  const known = written.get(key) ?? writeWallClock(epochMs, zone);
  written.set(key, known);
  return known;
}

/** A cache, because Temporal is slow and a world has few times. */
const written = new Map<string, string>();

function writeWallClock(epochMs: number, zone: string): string {
  const wall = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone).toPlainDateTime();
  return wall.toString({ smallestUnit: "second" }).replace("T", " ");
}

/** Undefined for null, NaN for a text that is not a wall clock time. */
export function parseWallClock(text: string | null, zone: string): number | undefined {
  if (text === null) return undefined;
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return Number.NaN;
  return Temporal.PlainDateTime.from(text.replace(" ", "T")).toZonedDateTime(zone).epochMilliseconds;
}

/** From its first second to its last, in epoch milliseconds. */
export function dayOf(epochMs: number, zone: string): { since: number; until: number } {
  const start = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone).startOfDay();
  return { since: start.epochMilliseconds, until: start.add({ days: 1 }).epochMilliseconds - 1000 };
}

/** Fields without a value are left out. */
export function callRow(call: Call, zone: string): Record<string, unknown> {
  const time = (at: number | null) => (at === null ? undefined : wallClock(at, zone));
  return {
    sessionId: call.sessionId ?? undefined,
    taskId: rawId(call.taskId ?? "0"),
    startAt: time(call.startAt),
    answerAt: time(call.answerAt),
    endAt: time(call.endAt),
    callee: call.callee,
    caller: call.caller,
    direction: call.direction ?? undefined,
    duration: call.duration ?? undefined,
    billsec: call.billsec ?? undefined,
    recordFile: call.recordFile,
    assistant: call.assistants.map(({ id, vid }) => ({ id: rawId(id), vid: rawId(vid) })),
  };
}

export function eventBody(call: Call, zone: string) {
  const time = (at: number | null) => (at === null ? "" : wallClock(at, zone));
  return {
    event_name: "call_ended",
    event_data: {
      session_id: call.sessionId,
      callee: call.callee,
      caller: call.caller,
      start_at: time(call.startAt),
      answer_at: time(call.answerAt),
      end_at: time(call.endAt),
      duration: call.duration,
      billsec: call.billsec,
      direction: call.direction,
      ring_time: call.ringTime,
      hangup_side: call.hangupSide,
      hangup_reason: call.hangupReason ?? "",
      record_url: call.recordUrl ?? "",
      task_id: rawId(call.taskId ?? "0"),
      task_item_id: rawId(call.taskItemId ?? "0"),
      assistant_infos: call.assistants.map(({ id, vid }) => ({ assistant_id: rawId(id), assistant_vid: rawId(vid) })),
      extra: call.extra,
    } as Record<string, unknown>,
  };
}

export function taskBody(task: Task, zone: string): Record<string, unknown> {
  return {
    id: rawId(task.id),
    createdAt: wallClock(task.createdAt, zone),
    updatedAt: wallClock(task.updatedAt, zone),
    name: task.name,
    status: task.status,
    total: task.total,
    progress: task.progress,
    collectionRate: task.collectionRate,
    option: {
      numberFileMeta: { 号码: 0, 备注: 1, 姓名: 2 },
      numbers: [11, 12],
      startDate: "2026-11-16",
      startTime: [["09:00", "12:00"]],
      retryCount: 2,
      retryInterval: 60,
    },
    summary: `Summary of ${task.id}`,
    suggestion: "",
    assistantVid: rawId(task.assistant.vid),
    assistant: {
      id: rawId(task.assistant.id),
      projectId: 1,
      name: assistantName(task.assistant),
      versionId: rawId(task.assistant.vid),
      scene: "sales",
      speakerId: 8,
      websocketUrl: "wss://voice.example/live",
      websocketToken: "odd-service-websocket-token",
      listenerId: 9,
      welcome: "Hello",
      prompt: `Prompt ${task.assistant.vid}`,
      collect: [],
      knowledge: "",
      createdAt: wallClock(task.createdAt, zone),
      updatedAt: wallClock(task.updatedAt, zone),
      creator: { email: "ada@example.com" },
      deletedAt: null,
      idOldVersion: false,
      usageCount: 1,
      creatorId: 2,
    },
  };
}

export const assistantName = ({ id, vid }: { id: string; vid: string }): string => `Assistant ${id} version ${vid}`;
