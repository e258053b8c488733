import { batchByKey, onceByKey, trackSettled } from "../../src/loaders/keyedLoader.ts";
import { createTaskCallLogLoader } from "../../src/loaders/taskCallLogLoader.ts";
import { createSeveralTasksVerifier } from "../../src/loaders/verifySeveralTasks.ts";
import { scopes, type Scope } from "../../src/auth/scopes.ts";
import type { Context } from "../../src/resolvers/context.ts";
import { PLAIN_CURSORS } from "../../src/events/cursorView.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { createTimeSlices } from "../../src/util/timeSlices.ts";
import { createQueryOwner } from "../../src/store/scheduling/queryOwner.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord, TaskRecord } from "../../src/upstream/upstream.ts";
import { unrestricted } from "../../src/auth/viewerPolicy.ts";

export const NOW = "2026-11-20T09:30:00.000Z";

export function callLog(own: Partial<CallLogRecord> = {}): CallLogRecord {
  return {
    sessionId: "s-1",
    taskId: "7",
    startAt: null,
    answerAt: null,
    endAt: null,
    callee: "13800010001",
    caller: "A068",
    direction: "outbound",
    duration: null,
    billsec: null,
    recordFile: null,
    assistants: [],
    unread: [],
    ...own,
  };
}

// Shared by all tasks, so that equal tasks are equal to a test.
const none = () => null;
const nothing = () => [];

export function task(own: Partial<TaskRecord> = {}): TaskRecord {
  return {
    taskId: "7",
    name: "Reminder",
    status: "running",
    total: 2,
    progress: 33.3,
    collectionRate: 0,
    summary: null,
    suggestion: null,
    createdAt: "2026-11-18T20:00:00.000Z",
    updatedAt: null,
    assistantVersionId: "2",
    option: none,
    assistant: none,
    assistantRef: null,
    unread: nothing,
    ...own,
  };
}

const GATEWAY: Context["gateway"] = {
  version: "1.2.3",
  subscribers: () => 0,
  service: () => ({ state: "HEALTHY", failingSince: null, tokenRefused: false }),
  timesAheadMs: () => 0,
  agentUses: () => [],
  webhooks: () => ({
    lastAcceptedAt: null,
    acceptedLastMinute: 0,
    refusedLastMinute: 0,
    unreadableInARow: 0,
    refused: null,
  }),
  issueWebhookTest: () => ({ authorization: "Webhook-Test x", path: "/calllog", bytes: 1, expiresAt: NOW }),
};

export interface World {
  rows?: readonly CallLogRecord[];
  tasks?: Record<string, TaskRecord | Error>;
  now?: string;
  zone?: string;
  viewer?: readonly Scope[];
  own?: Partial<Context>;
}

/** A context over a fake service that follows its documentation and records its requests. */
export function world({ rows = [], tasks = {}, now = NOW, zone = "Asia/Shanghai", viewer = scopes, own }: World = {}) {
  const asked: CallLogQuery[] = [];
  const askedTasks: string[] = [];
  const loaders = fakeLoaders();
  const context: Context = {
    events: unused("events"),
    stats: unused("stats"),
    quarantine: unused("quarantine"),
    eventNames: unused("eventNames"),
    reprocess: unused("reprocess"),
    rawDeliveries: unused("rawDeliveries"),
    audit: unused("audit"),
    recordings: unused("recordings"),
    forgetPhone: unused("forgetPhone"),
    historyImports: unused("historyImports"),
    checkTask: unused("checkTask"),
    describeSchedule: unused("describeSchedule"),
    taskLimits: unused("taskLimits"),
    gateway: GATEWAY,
    submitTask: unused("submitTask"),
    proposeTask: unused("proposeTask"),
    approveTask: unused("approveTask"),
    declineTask: unused("declineTask"),
    submissions: unused("submissions"),
    submittedTasks: unused("submittedTasks"),
    doNotCall: unused("doNotCall"),
    recipients: unused("recipients"),
    projections: unused("projections"),
    destinations: unused("destinations"),
    alerts: unused("alerts"),
    taskProgress: unused("taskProgress"),
    signer: createSigner(Buffer.alloc(32, 7)),
    cursors: PLAIN_CURSORS,
    hiddenCursors: PLAIN_CURSORS,
    slices: createTimeSlices(),
    serviceTimeZone: zone,
    clock: () => Date.parse(now),
    viewer: { name: "web", scopes: new Set(viewer), ...unrestricted },
    source: { after: null, eventStream: null, onHead: null },
    loaders,
    queryOwner: createQueryOwner("web"),
    queuedRead: (queryOwner, question, query) => queryOwner.once(question, query),
    knownTasks: unused("knownTasks"),
    assistants: unused("assistants"),
    lines: unused("lines"),
    named: { assistants: [], lines: [], hangUps: [] },
    known: {
      headCursor: () => "head",
      newestEvent: batchByKey(async () => new Map(), String),
      newestEvents: async () => [],
      assistant: batchByKey(async () => new Map(), String),
      recording: batchByKey(async () => new Map(), String),
      recipient: batchByKey(async () => new Map(), String),
      openAlerts: batchByKey(
        async () => new Map(),
        ({ taskId }) => taskId,
      ),
    },
    ...own,
  };
  return { context, asked, askedTasks };

  function fakeLoaders(): Context["loaders"] {
    const callLogs = onceByKey(async (query: CallLogQuery): Promise<CallLogPage> => {
      asked.push(query);
      const { pageIndex, pageSize, taskIds } = query;
      const meant = rows.filter(({ taskId }) => taskIds.length === 0 || taskId === null || taskIds.includes(taskId));
      const start = (pageIndex - 1) * pageSize;
      return { rows: meant.slice(start, start + pageSize), total: meant.length, pageIndex, pageSize };
    }, JSON.stringify);
    const task = trackSettled(
      onceByKey(async (taskId: string) => {
        askedTasks.push(taskId);
        const found = tasks[taskId] ?? null;
        if (found instanceof Error) throw found;
        return found;
      }, String),
    );
    return {
      callLogs,
      callLogPages: callLogs,
      task,
      taskCallLogs: createTaskCallLogLoader(
        (query) => callLogs.load(query),
        createSeveralTasksVerifier(),
        task.settled,
      ),
    };
  }
}

/** A part that fails when it is used. */
function unused(name: string): never {
  const refuse = () => {
    throw new Error(`${name} must not be used`);
  };
  return new Proxy(refuse, { get: () => refuse }) as never;
}
