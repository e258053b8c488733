// Builds the JSON of calls, events and tasks (service.md 2.1, 2.2, 2.3), changed by the quirks that are on.
import type { Call, ExactFields, Task } from "../world/model.ts";
import type { Quirks } from "../control/quirks.ts";
import type { Recordings } from "./recordingFiles.ts";
import type { TimeFormat } from "../timeText.ts";
import { formatTime, ZERO_TIME } from "../timeText.ts";
import type { World } from "../world/world.ts";

type Fields = Record<string, unknown>;

export interface Shapes {
  /** A row of the call list (2.1). Leaves out optional fields without a value. */
  readonly callLog: (call: Call) => Fields;
  /** The webhook's body (2.2, 6). Has every field; a missing time or URL is "". */
  callEnded(call: Call): { event_name: string; event_data: Fields };
  /** A task (2.3). */
  task(task: Task): Fields;
  /** Null for an empty list or map if the quirk `goNulls` is on. */
  nullIfEmpty<T extends object>(value: T): T | null;
  /** Undocumented fields, if the quirk `extraFields` is on. */
  extraFields(): Fields;
}

/** service.md does not show the value of event_name. */
export const EVENT_NAME = "call_ended";

export function createShapes(deps: {
  world: World;
  quirks: () => Quirks;
  recordings: Recordings;
  timeZone: string;
}): Shapes {
  const { world, quirks, recordings, timeZone } = deps;

  const time = (ms: number | null, format: TimeFormat, none: string | null | undefined) => {
    if (ms !== null) return formatTime(ms, format, timeZone);
    return quirks().zeroTimes ? ZERO_TIME : none;
  };
  const list = <T extends object>(value: T) => (quirks().goNulls && Object.keys(value).length === 0 ? null : value);
  const surplus = (): Fields => (quirks().extraFields ? { traceId: "c0ffee", tenant: { id: 1, labels: [] } } : {});
  const percent = (value: number) => {
    if (!quirks().fractionalPercentages) return Math.floor(value);
    const tenth = Math.round(value * 10) / 10;
    return Number.isInteger(tenth) && tenth > 0 && tenth < 100 ? tenth + 0.3 : tenth;
  };

  const hasRecording = ({ isRecorded, answerAt }: Call) => isRecorded && answerAt !== null;

  const callLog = (call: Call): Fields => {
    const ended = call.endAt !== null;
    const format = quirks().callLogTimes;
    const none = quirks().inboundTaskId === "zero" ? 0n : undefined;
    const missing = { absent: undefined, null: null, empty: "" }[quirks().missingTimes];
    return applyExact(call.exact, {
      sessionId: call.sessionId,
      taskId: call.taskId ?? none,
      startAt: time(call.startAt, format, missing),
      answerAt: time(call.answerAt, format, missing),
      endAt: time(call.endAt, format, missing),
      callee: call.callee,
      caller: call.caller,
      direction: call.direction,
      duration: ended ? call.duration : undefined,
      billsec: ended ? call.billsec : undefined,
      recordFile: ended && hasRecording(call) ? recordings.location(call, quirks().recordFile) : undefined,
      assistant: list(call.assistants.map(({ id, vid }) => ({ id, vid, ...surplus() }))),
      ...surplus(),
    });
  };

  const callEnded = (call: Call) => {
    const format = quirks().webhookTimes;
    const event_data = {
      session_id: call.sessionId,
      callee: call.callee,
      caller: call.caller,
      start_at: time(call.startAt, format, ""),
      answer_at: time(call.answerAt, format, ""),
      end_at: time(call.endAt, format, ""),
      duration: call.duration,
      billsec: call.billsec,
      direction: call.direction,
      ring_time: call.ringTime,
      hangup_side: call.hangupSide,
      hangup_reason: call.hangupReason,
      record_url: hasRecording(call) ? recordings.location(call, "url") : "",
      task_id: call.taskId ?? 0n,
      task_item_id: call.taskItemId ?? 0n,
      assistant_infos: list(
        call.assistants.map(({ id, vid }) => ({ assistant_id: id, assistant_vid: vid, ...surplus() })),
      ),
      extra: list(call.extra),
      ...surplus(),
    };
    return { event_name: EVENT_NAME, event_data };
  };

  const task = (shown: Task): Fields => {
    const used = world.findVersion(shown.assistantId, shown.assistantVid);
    return applyExact(shown.exact, {
      id: shown.id,
      createdAt: time(shown.createdAt, quirks().taskTimes, ""),
      updatedAt: time(shown.updatedAt, quirks().taskTimes, ""),
      name: shown.name,
      status: shown.status,
      total: shown.total,
      progress: percent(shown.progress),
      collectionRate: percent(shown.collectionRate),
      option: {
        numberFileMeta: { 号码: shown.fileMeta.number, 备注: shown.fileMeta.remarks, 姓名: shown.fileMeta.name },
        numbers: list(shown.lines),
        startDate: shown.startDate,
        startTime: list(shown.startTime),
        retryCount: shown.retryCount,
        retryInterval: shown.retryInterval,
      },
      summary: shown.summary,
      suggestion: shown.suggestion,
      assistantVid: shown.assistantVid,
      assistant: used && assistant(used),
      ...surplus(),
    });
  };

  const assistant = ({ assistant, version }: NonNullable<ReturnType<World["findVersion"]>>): Fields => ({
    id: assistant.id,
    projectId: assistant.projectId,
    name: assistant.name,
    versionId: version.vid,
    scene: assistant.scene,
    speakerId: version.speakerId,
    websocketUrl: version.websocketUrl,
    websocketToken: version.websocketToken,
    listenerId: version.listenerId,
    welcome: version.welcome,
    prompt: version.prompt,
    collect: list(version.collect.map((item) => ({ ...item, answers: list(item.answers) }))),
    knowledge: version.knowledge,
    createdAt: time(assistant.createdAt, quirks().taskTimes, ""),
    updatedAt: time(assistant.updatedAt, quirks().taskTimes, ""),
    creator: { email: assistant.creatorEmail, ...surplus() },
    deletedAt: null,
    idOldVersion: assistant.versions.at(-1) !== version,
    usageCount: assistant.usageCount,
    creatorId: assistant.creatorId,
    ...surplus(),
  });

  return { callLog, callEnded, task, nullIfEmpty: list, extraFields: surplus };
}

function applyExact(exact: ExactFields, fields: Fields): Fields {
  const all = { ...fields, ...exact.raw };
  return Object.fromEntries(Object.entries(all).filter(([name]) => !exact.omit.includes(name)));
}
