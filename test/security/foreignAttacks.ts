// Operations that name a row, by root field.
import { nodeId } from "../../src/resolvers/nodeId.ts";
import { AROUND, RANGE } from "./accessWorld.ts";

export interface Target {
  sessionId: string;
  taskId: string;
  assistantId: string;
  /** The viewer that submitted a task. */
  submitter: string;
  /** As the graph has it. */
  alertId: string;
}
export const range = `since: "${RANGE.since}", until: "${RANGE.until}"`;
const submissionOf = ({ submitter }: Target) => nodeId("TaskSubmission", `${submitter} 9002`);
const EVENT = "sessionId taskId caller recording { status url } task { name } callLog { sessionId }";

/** Queries by root field. Each names the target. */
export const attacks: Record<string, ((target: Target) => string)[]> = {
  "Query.callEnded": [({ sessionId }) => `{ callEnded(sessionId: "${sessionId}") { ${EVENT} } }`],
  "Query.callLog": [
    ({ sessionId }) => `{ callLog(sessionId: "${sessionId}", around: "${AROUND}") { sessionId recordFile } }`,
    ({ sessionId }) =>
      `{ callLog(sessionId: "${sessionId}", around: "${AROUND}") { callEnded { sessionId } recording { status url } } }`,
  ],
  "Query.callEndedEvents": [
    ({ taskId }) => `{ callEndedEvents(filter: { taskIds: ["${taskId}"] }) { nodes { sessionId } } }`,
    ({ taskId }) => `{ callEndedEvents(filter: { taskIds: ["9001", "${taskId}"] }) { nodes { sessionId } } }`,
  ],
  "Query.callLogs": [
    ({ taskId }) => `{ callLogs(filter: { taskIds: ["${taskId}"], ${range} }) { totalCount nodes { sessionId } } }`,
    ({ taskId }) => `{ callLogs(filter: { taskIds: ["9002", "${taskId}"], ${range} }) { totalCount } }`,
    ({ taskId }) =>
      `{ callLogs(first: 1, filter: { taskIds: ["${taskId}"], ${range} }) { pageInfo { endCursor hasNextPage } } }`,
  ],
  "Query.callStats": [
    ({ taskId }) =>
      `{ callStats(filter: { taskIds: ["${taskId}"] }) { calls byTask { calls } byHangupReason { calls } } }`,
    ({ taskId }) => `{ callStats(filter: { taskIds: ["${taskId}"] }) { timeline(bucket: DAY) { calls } } }`,
  ],
  "Query.task": [({ taskId }) => `{ task(taskId: "${taskId}") { name callLogs { totalCount } callStats { calls } } }`],
  "Query.tasksByIds": [({ taskId }) => `{ tasksByIds(taskIds: ["${taskId}", "9001"]) { name } }`],
  "Query.alerts": [
    ({ taskId }) => `{ alerts(filter: { taskIds: ["${taskId}"] }) { nodes { id } } }`,
    ({ taskId }) => `{ alerts(filter: { taskIds: ["9001", "${taskId}"] }) { nodes { id } pageInfo { hasNextPage } } }`,
  ],
  "Mutation.acknowledgeAlert": [({ alertId }) => `mutation { acknowledgeAlert(id: "${alertId}") { id } }`],
  "Query.assistant": [({ assistantId }) => `{ assistant(assistantId: "${assistantId}") { assistantId } }`],
  "Query.node": [
    ({ sessionId }) => `{ node(id: "${nodeId("CallEnded", sessionId, "1")}") { __typename } }`,
    ({ sessionId }) => `{ node(id: "${nodeId("Recording", sessionId)}") { __typename } }`,
    ({ sessionId }) => `{ node(id: "${nodeId("CallLog", sessionId)}") { __typename } }`,
    ({ taskId }) => `{ node(id: "${nodeId("Task", taskId)}") { __typename } }`,
    (target) => `{ node(id: "${submissionOf(target)}") { __typename } }`,
    ({ alertId }) => `{ node(id: "${alertId}") { __typename } }`,
  ],
  "Query.nodes": [
    ({ taskId, sessionId }) =>
      `{ nodes(ids: ["${nodeId("Task", taskId)}", "${nodeId("CallEnded", sessionId, "1")}"]) { __typename } }`,
  ],
  "Query._entities": [
    ({ taskId }) => `{ _entities(representations: [{ __typename: "Task", taskId: "${taskId}" }]) { __typename } }`,
    ({ sessionId }) =>
      `{ _entities(representations: [{ __typename: "CallEnded", sessionId: "${sessionId}" }]) { __typename } }`,
    ({ sessionId }) =>
      `{ _entities(representations: [{ __typename: "CallLog", sessionId: "${sessionId}" }]) { __typename } }`,
    (target) =>
      `{ _entities(representations: [{ __typename: "TaskSubmission", id: "${submissionOf(target)}" }]) { __typename } }`,
  ],
  "Query.taskSubmission": [(target) => `{ taskSubmission(id: "${submissionOf(target)}") { status taskId } }`],
  "Query.taskSubmissionByKey": [
    ({ submitter }) => `{ taskSubmissionByKey(idempotencyKey: "${submitter} 9002") { id } }`,
  ],
};
export const subscriptions: Record<string, (target: Target) => string> = {
  "Subscription.alertRaised": ({ alertId }) => `subscription { alertRaised(after: "${alertId}") { id } }`,
  "Subscription.taskProgress": ({ taskId }) => `subscription { taskProgress(taskId: "${taskId}") { taskId } }`,
  "Subscription.taskSubmission": (target) =>
    `subscription { taskSubmission(id: "${submissionOf(target)}") { status } }`,
};
