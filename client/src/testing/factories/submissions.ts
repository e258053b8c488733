// Factories of submissions and proposals, and of what the mutations about them answer.
import type {
  AssistantOverride,
  CalledAgain,
  CreateTaskPayload,
  LeftOutCount,
  TaskDecisionPayload,
  TaskProposal,
  TaskSubmission,
  TaskSubmissionConnection,
  TaskSubmissionEdge,
} from "../../generated/graph.ts";
import { assistant, task } from "./entities.ts";
import { createFactory, edgesOf } from "./factory.ts";
import { ASSISTANT_ID, CREATED_AT, TASK_ID } from "./sample.ts";
import { countryCount, pageInfo, taskSchedule } from "./values.ts";

/** The statuses of a submission that was proposed. */
const PROPOSALS: ReadonlySet<string> = new Set(["PROPOSED", "DECLINED", "EXPIRED"]);

export const assistantOverride = createFactory<AssistantOverride>("AssistantOverride", {
  welcome: null,
  changesPrompt: false,
  prompt: null,
  language: null,
  speakerId: null,
});
export const taskProposal = createFactory<TaskProposal>("TaskProposal", {
  expiresAt: "2026-11-21T01:30:00.000Z",
  lineIds: () => ["60"],
  periods: () => [["09:00", "12:00"]],
  startDate: "2026-11-20",
  schedule: () => taskSchedule(),
  countries: () => [countryCount()],
  retryCount: 0,
  retryIntervalSeconds: 60,
  overridesAssistant: ({ assistantOverride = null }) => assistantOverride !== null,
  assistantOverride: null,
  assistant: () => assistant(),
  skipDoNotCall: false,
  decidedAt: null,
  decidedBy: null,
  declineReason: null,
});
export const leftOutCount = createFactory<LeftOutCount>("LeftOutCount", { reason: "REACHED", people: 3 });
export const calledAgain = createFactory<CalledAgain>("CalledAgain", {
  taskId: TASK_ID,
  task: null,
  leftOut: () => [leftOutCount()],
  withoutVariables: 0,
});
export const taskSubmission = createFactory<TaskSubmission>("TaskSubmission", {
  id: ({ idempotencyKey = "key-1" }) => `TaskSubmission:${idempotencyKey}`,
  idempotencyKey: "key-1",
  status: "RESOLVED",
  name: "Appointment reminders",
  assistantId: ASSISTANT_ID,
  numberCount: 10,
  leftOutCount: 0,
  submittedAt: CREATED_AT,
  submittedBy: null,
  proposal: ({ status = "RESOLVED" }) => (PROPOSALS.has(status) ? taskProposal() : null),
  matchedBy: ({ status = "RESOLVED" }) => (status === "RESOLVED" ? "MARK" : null),
  calledAgainFrom: null,
  taskId: ({ status = "RESOLVED" }) => (status === "RESOLVED" ? TASK_ID : null),
  task: ({ status = "RESOLVED", taskId = TASK_ID }) =>
    status === "RESOLVED" && taskId !== null ? task({ taskId, callLogs: null }) : null,
});
export const taskSubmissionEdge = createFactory<TaskSubmissionEdge>("TaskSubmissionEdge", {
  cursor: "cursor-1",
  node: () => taskSubmission(),
});
export const taskSubmissionConnection = createFactory<TaskSubmissionConnection>("TaskSubmissionConnection", {
  nodes: () => [taskSubmission()],
  edges: ({ nodes = [taskSubmission()] }) => edgesOf(nodes, taskSubmissionEdge),
  pageInfo: () => pageInfo(),
});
export const createTaskPayload = createFactory<CreateTaskPayload>("CreateTaskPayload", {
  submission: ({ errors = [] }) => (errors.length > 0 ? null : taskSubmission({ status: "ACCEPTED" })),
  replayed: false,
  errors: () => [],
});
export const taskDecisionPayload = createFactory<TaskDecisionPayload>("TaskDecisionPayload", {
  submission: () => taskSubmission({ status: "ACCEPTED", proposal: taskProposal() }),
  replayed: false,
  errors: () => [],
});
