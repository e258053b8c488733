// Factories of calls, tasks, assistants and recordings, and of their lists. Entities lead to each other; a factory makes the
// ones it leads to, and leaves out the way back.
import type {
  Assistant,
  CallAssistant,
  CallEnded,
  CallEndedConnection,
  CallEndedEdge,
  CallLog,
  CallLogConnection,
  CallLogEdge,
  CallStats,
  PhoneWriting,
  Recording,
  Task,
  TaskConnection,
  TaskCount,
  TaskEdge,
} from "../../generated/graph.ts";
import { createFactory, edgesOf, type Defaults, type Factory } from "./factory.ts";
import { recipient, recipientConnection, recipientCounts } from "./recipients.ts";
import { ASSISTANT_ID, CREATED_AT, TASK_ID } from "./sample.ts";
import { assistantCount, collectItem, pageInfo, reasonCount, sideCount, statsBucket, taskOption } from "./values.ts";

const SESSION_ID = "session-1";
const VERSION_ID = "111";
const ANSWER_AT = "2026-11-20T01:30:05.000Z";

/** What a call and its event both tell. */
type Facts = Pick<CallLog, (typeof factNames)[number]>;
const factNames = [
  "sessionId",
  "taskId",
  "direction",
  "caller",
  "callee",
  "startAt",
  "answerAt",
  "endAt",
  "duration",
  "billsec",
  "answered",
  "assistants",
] as const;

const facts = {
  sessionId: SESSION_ID,
  direction: "OUTBOUND",
  caller: "A068",
  callee: "+12025550101",
  startAt: "2026-11-20T01:30:00.000Z",
  answerAt: ({ answered }) => (answered === false ? null : ANSWER_AT),
  endAt: "2026-11-20T01:31:00.000Z",
  duration: 60,
  billsec: ({ answered }) => (answered === false ? 0 : 55),
  answered: ({ answerAt = ANSWER_AT }) => answerAt !== null,
  assistants: () => [callAssistant()],
} satisfies Omit<Defaults<Facts>, "taskId">;

const taskIdOf = ({ direction, taskId = TASK_ID }: Partial<Facts>): string | null =>
  direction === "INBOUND" ? null : taskId;

const factsOf = (given: Partial<Facts>): Partial<Omit<Facts, "sessionId">> =>
  Object.fromEntries(factNames.filter((name) => name in given).map((name) => [name, given[name]]));

function taskOf(given: Partial<Facts>): Task | null {
  const taskId = taskIdOf(given);
  return taskId === null ? null : task({ taskId, callLogs: null });
}

export const assistant: Factory<Assistant> = createFactory<Assistant>("Assistant", {
  id: ({ assistantId = ASSISTANT_ID, versionId = VERSION_ID }) => `Assistant:${assistantId}:${versionId}`,
  assistantId: ASSISTANT_ID,
  versionId: VERSION_ID,
  name: "Reminder",
  projectId: "1",
  scene: "appointments",
  speakerId: "21",
  listenerId: "31",
  websocketUrl: "wss://assistants.example/reminder",
  welcome: "Good morning!",
  prompt: "Remind the customer of the appointment.",
  knowledge: "The shop opens at nine.",
  collect: () => [collectItem()],
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  creatorId: "41",
  creatorEmail: "creator@shop.example",
  deletedAt: null,
  isOldVersion: false,
  usageCount: 3,
});
export const callAssistant: Factory<CallAssistant> = createFactory<CallAssistant>("CallAssistant", {
  assistantId: ASSISTANT_ID,
  versionId: VERSION_ID,
  assistant: ({ assistantId = ASSISTANT_ID, versionId = VERSION_ID }) => assistant({ assistantId, versionId }),
});

export const recording: Factory<Recording> = createFactory<Recording>("Recording", {
  id: ({ sessionId = SESSION_ID }) => `Recording:${sessionId}`,
  sessionId: SESSION_ID,
  callEnded: ({ sessionId = SESSION_ID }) => callEnded({ sessionId, task: null, callLog: null, recording: null }),
  status: "ARCHIVED",
  url: "/recordings/recording-1",
  urlExpiresAt: "2026-11-20T02:31:00.000Z",
  contentType: "audio/wav",
  bytes: 480_044,
  archivedAt: "2026-11-20T01:31:02.000Z",
  failure: null,
});

export const callLog: Factory<CallLog> = createFactory<CallLog>("CallLog", {
  ...facts,
  id: ({ sessionId = SESSION_ID }) => `CallLog:${sessionId}`,
  taskId: taskIdOf,
  task: (given) => taskOf(given),
  recordFile: "recordings/recording-1.wav",
  callEnded: ({ sessionId = SESSION_ID, ...given }) =>
    sessionId === null ? null : callEnded({ ...factsOf(given), sessionId, task: null, callLog: null }),
  recording: ({ sessionId = SESSION_ID }) => (sessionId === null ? null : recording({ sessionId, callEnded: null })),
  unread: () => [],
});

export const callEnded: Factory<CallEnded> = createFactory<CallEnded>("CallEnded", {
  ...facts,
  id: ({ sessionId = SESSION_ID, revision = 1 }) => `CallEnded:${sessionId}:${revision}`,
  cursor: ({ sessionId = SESSION_ID }) => `event-of-${sessionId}`,
  source: "WEBHOOK",
  receivedAt: "2026-11-20T01:31:01.000Z",
  revision: 1,
  callLog: (given) => callLog({ ...factsOf(given), task: null, callEnded: null }),
  eventName: "call_ended",
  ringTime: 5,
  hangupSide: "CALLEE",
  hungUpBy: ({ direction, hangupSide = "CALLEE" }) =>
    hangupSide && ((hangupSide === "CALLER") === (direction === "INBOUND") ? "CUSTOMER" : "ASSISTANT"),
  hangupReason: "NORMAL_CLEARING",
  recordUrl: "https://files.example/recording-1.wav",
  recording: ({ sessionId = SESSION_ID }) => recording({ sessionId, callEnded: null }),
  taskId: taskIdOf,
  taskItemId: (given) => (taskIdOf(given) === null ? null : "71"),
  task: (given) => taskOf(given),
  extra: () => ({ 姓名: "Li" }),
  attempt: (given) => (taskIdOf(given) === null ? null : 1),
  recipient: (given) => (taskIdOf(given) === null ? null : recipient()),
  unread: () => [],
});

export const callLogEdge = createFactory<CallLogEdge>("CallLogEdge", { cursor: "cursor-1", node: () => callLog() });
export const callLogConnection = createFactory<CallLogConnection>("CallLogConnection", {
  nodes: () => [callLog()],
  edges: ({ nodes = [callLog()] }) => edgesOf(nodes, callLogEdge),
  pageInfo: () => pageInfo(),
  totalCount: ({ nodes }) => nodes?.length ?? 1,
  since: "2026-11-19T16:00:00.000Z",
  until: "2026-11-20T15:59:59.000Z",
  driftDetected: false,
  phoneWritings: null,
  headCursor: "event-head",
});
export const phoneWriting = createFactory<PhoneWriting>("PhoneWriting", { text: "13800010001", totalCount: 1 });
export const callEndedEdge = createFactory<CallEndedEdge>("CallEndedEdge", {
  cursor: ({ node }) => (node ?? callEnded()).cursor,
  node: () => callEnded(),
});
export const callEndedConnection = createFactory<CallEndedConnection>("CallEndedConnection", {
  nodes: () => [callEnded()],
  edges: ({ nodes = [callEnded()] }) => nodes.map((node) => callEndedEdge({ node })),
  pageInfo: () => pageInfo(),
  headCursor: "event-head",
});

export const task: Factory<Task> = createFactory<Task>("Task", {
  id: ({ taskId = TASK_ID }) => `Task:${taskId}`,
  taskId: TASK_ID,
  name: "Appointment reminders",
  status: "RUNNING",
  total: 10,
  progress: 50,
  collectionRate: 40,
  summary: "Half of the customers were reached.",
  suggestion: "Call in the evening.",
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  option: () => taskOption(),
  assistantVersionId: VERSION_ID,
  assistant: ({ assistantVersionId }) => assistant({ versionId: assistantVersionId ?? VERSION_ID }),
  callLogs: ({ taskId = TASK_ID }) => callLogConnection({ nodes: [callLog({ taskId, task: null, callEnded: null })] }),
  callStats: ({ taskId = TASK_ID }) => callStats({ byTask: [taskCount({ taskId, task: null })] }),
  recipients: () => recipientConnection(),
  recipientCounts: () => recipientCounts(),
  callAgain: () => [],
  alerts: () => [],
  unread: () => [],
});
export const taskEdge = createFactory<TaskEdge>("TaskEdge", { cursor: "cursor-1", node: () => task() });
export const taskConnection = createFactory<TaskConnection>("TaskConnection", {
  nodes: () => [task()],
  edges: ({ nodes = [task()] }) => edgesOf(nodes, taskEdge),
  pageInfo: () => pageInfo(),
});

export const taskCount = createFactory<TaskCount>("TaskCount", {
  taskId: TASK_ID,
  task: ({ taskId = TASK_ID }) => taskOf({ taskId }),
  calls: 2,
  answered: 1,
});
export const callStats = createFactory<CallStats>("CallStats", {
  since: "2026-11-20T01:31:00.000Z",
  calls: 2,
  answered: 1,
  withoutHangup: 0,
  numbersCalled: 2,
  numbersReached: 1,
  totalDuration: 120,
  totalBillsec: 55,
  byHangupReason: () => [reasonCount()],
  byHangupSide: () => [sideCount()],
  byTask: () => [taskCount()],
  byAssistant: () => [assistantCount()],
  timeline: () => [statsBucket()],
});
