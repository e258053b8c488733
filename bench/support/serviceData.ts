// The answers of the stub: shapes of service.md 2.1, 2.3 and 4.1, with every field.

export const TASK_IDS = [7001, 7002, 7003, 7004, 7005, 7006] as const;

interface PageOptions {
  size: number;
  /** `YYYY-MM-DD`. */
  day?: string;
  /** Tasks of the calls, which take turns. */
  taskIds?: readonly number[];
  pageIndex?: number;
  /** Selects only calls that begin in this range: `YYYY-MM-DD hh:mm:ss`. */
  since?: string;
  until?: string;
}

/** Number of calls after the first page of a list. */
const MORE = 3;

/** Pages of the same size have the same length on every day. Two days share no session and no task. */
export function callLogPage(options: PageOptions) {
  const { size, day = "2026-11-20", taskIds = TASK_IDS, pageIndex = 1, since = "", until = "9999" } = options;
  const all = Array.from({ length: size + MORE }, (_, at) => callLog(at, day, taskIds));
  const found = all.filter(({ startAt }) => since <= startAt && startAt <= until);
  const items = found.slice((pageIndex - 1) * size, pageIndex * size);
  return { items, total: found.length, pageIndex, pageSize: size };
}

function callLog(at: number, day: string, taskIds: readonly number[]) {
  const minute = String(at % 60).padStart(2, "0");
  return {
    sessionId: `5f0c1c9e-0000-4000-8000-${day.replaceAll("-", "")}${String(at).padStart(4, "0")}`,
    taskId: taskIds[at % taskIds.length],
    startAt: `${day} 09:${minute}:00`,
    answerAt: `${day} 09:${minute}:05`,
    endAt: `${day} 09:${minute}:55`,
    callee: `1000000${String(at).padStart(4, "0")}`,
    caller: "A068",
    direction: "outbound",
    duration: 55,
    billsec: 50,
    recordFile: `/recordings/${at}.wav`,
    assistant: [{ id: 11, vid: 301 }],
  };
}

export function task(id: number) {
  return {
    id,
    createdAt: "2026-11-20T08:00:00+08:00",
    updatedAt: "2026-11-20T09:00:00+08:00",
    name: `Renewals ${id}`,
    status: "running",
    total: 500,
    progress: 40,
    collectionRate: 25,
    option: {
      numberFileMeta: { 号码: 0, 备注: 1, 姓名: 2 },
      numbers: [1, 2],
      startDate: "2026-11-20",
      startTime: [["09:00", "18:00"]],
      retryCount: 2,
      retryInterval: 600,
    },
    summary: "Most customers renew.",
    suggestion: "Call in the morning.",
    assistantVid: 301,
    assistant: assistant(),
  };
}

function assistant() {
  return {
    id: 11,
    projectId: 7,
    name: "续费小助手",
    versionId: 301,
    scene: "renewal",
    speakerId: 5,
    websocketUrl: "wss://speech.example/v1",
    websocketToken: "secret",
    listenerId: 6,
    welcome: "您好，这里是会员中心，请问现在方便说话吗？",
    prompt: "你是会员中心的客服。确认客户是否续费，语气礼貌，不超过三个问题。",
    collect: [{ question: "是否续费？", answers: ["是", "否", "再考虑"] }],
    knowledge: "",
    createdAt: "2026-06-01T08:00:00+08:00",
    updatedAt: "2026-07-01T08:00:00+08:00",
    creator: { email: "ops@example.com" },
    deletedAt: null,
    idOldVersion: false,
    usageCount: 12,
    creatorId: 3,
  };
}
