// Submissions of createTask: their type, lists and look-ups, and the subscription to one.
import { SEEING_SUBMISSIONS } from "../auth/scopes.ts";
import { calledAgainFrom } from "../resolvers/callAgain.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import type { Edge } from "../resolvers/pageInfo.ts";
import {
  submittedBy,
  taskOfSubmission,
  taskSubmission,
  taskSubmissionByKey,
  taskSubmissions,
  watchSubmission,
  type TaskSubmissionConnection as Connection,
} from "../resolvers/submissions.ts";
import { valueOrThrow } from "../resolvers/tasks.ts";
import type { Submission } from "../store/tasks/submissionRow.ts";
import { requests, builder, cursorText, needs, ofViewer, page, rows, safeText } from "./builder.ts";
import { CalledAgain } from "./callAgain.ts";
import { EDGE_CURSOR, EDGES, FIRST, NODES } from "./descriptions.ts";
import { SubmissionStatus, TaskMatch } from "./enums.ts";
import { Node } from "./node.ts";
import { PageInfo, pageArgs } from "./pageInfo.ts";
import { Task } from "./task.ts";
import { TaskProposal } from "./taskProposal.ts";

export const TaskSubmission = builder.objectRef<Submission>("TaskSubmission").implement({
  description:
    "A task that was sent or proposed through this gateway. The service does not return the ID of a created task. The gateway learns it from a call-ended event that carries the correlation token of the submission, or by comparing tasks.",
  interfaces: [Node],
  // submittedBy depends on who asks.
  ...needs(SEEING_SUBMISSIONS, ofViewer),
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: "The graph's own id.",
      resolve: ({ id }) => nodeId("TaskSubmission", id),
    }),
    idempotencyKey: t.exposeString("idempotencyKey", {
      nullable: false,
      description: "The key of the createTask input.",
      ...safeText("Made by a client, which must find it again."),
    }),
    status: t.expose("status", {
      type: SubmissionStatus,
      nullable: false,
      description: "What is known of the task.",
    }),
    name: t.exposeString("name", { nullable: false, description: "The name of the task." }),
    assistantId: t.exposeID("assistantId", { nullable: false, description: "The service's ID of its assistant." }),
    numberCount: t.exposeInt("numberCount", {
      nullable: false,
      description: "Count of the numbers that were sent, or would be sent.",
    }),
    leftOutCount: t.exposeInt("leftOutCount", {
      nullable: false,
      description: "Count of the numbers that are left out, because they are in the never-call list.",
    }),
    submittedAt: t.expose("submittedAt", {
      type: "DateTime",
      nullable: false,
      description: "When the gateway received it.",
    }),
    submittedBy: t.string({
      description:
        "The viewer that submitted it: the name of its API key, or of the subject of its token. Null unless it is this viewer, or this viewer has the scope admin, or tasks:approve for a proposal.",
      resolve: submittedBy,
    }),
    proposal: t.field({
      type: TaskProposal,
      description: "What an approver decides on. Null: the task was sent without an approval.",
      resolve: ({ proposal, ...submission }) => proposal && { ...proposal, submission },
    }),
    calledAgainFrom: t.field({
      type: CalledAgain,
      description:
        "The task whose people it calls again, and how many of them it leaves out. Null: its numbers were in the input.",
      resolve: ({ calledAgain }) => calledAgain,
    }),
    taskId: t.exposeID("taskId", { description: "The service's ID of the task. Null unless RESOLVED." }),
    matchedBy: t.expose("matchedBy", {
      type: TaskMatch,
      description:
        "How the gateway found the task. Null unless RESOLVED, and for submissions resolved by a version of the gateway before this field.",
    }),
    task: t.field({
      type: Task,
      description: "The created task. Null unless RESOLVED.",
      ...requests(1),
      resolve: (submission, _, context) => taskOfSubmission(submission, context),
    }),
  }),
});

const TaskSubmissionEdge = builder.objectRef<Edge<Submission>>("TaskSubmissionEdge").implement({
  description: "A submission and its cursor.",
  ...needs(SEEING_SUBMISSIONS),
  fields: (t) => ({
    cursor: t.exposeString("cursor", { nullable: false, description: EDGE_CURSOR, ...cursorText }),
    node: t.expose("node", { type: TaskSubmission, nullable: false, description: "The submission." }),
  }),
});

const TaskSubmissionConnection = builder.objectRef<Connection>("TaskSubmissionConnection").implement({
  description: "A page of submissions.",
  ...needs(SEEING_SUBMISSIONS),
  fields: (t) => ({
    edges: t.expose("edges", { type: [TaskSubmissionEdge], nullable: false, description: EDGES }),
    nodes: t.field({
      type: [TaskSubmission],
      nullable: false,
      description: NODES,
      resolve: ({ edges }) => edges.map(({ node }) => node),
    }),
    pageInfo: t.expose("pageInfo", { type: PageInfo, nullable: false, description: "The place of this page." }),
  }),
});

builder.objectField(Task, "callAgain", (t) =>
  t.field({
    type: [TaskSubmission],
    nullable: false,
    description:
      "The submissions that call people of this task again, the newest first. Needs the scope tasks:create, tasks:propose or tasks:approve.",
    ...needs(SEEING_SUBMISSIONS, page),
    args: { first: t.arg.int({ required: true, defaultValue: 10, description: FIRST }) },
    resolve: (task, { first }, context) => calledAgainFrom(task, first, context),
  }),
);

builder.queryFields((t) => ({
  taskSubmissions: t.field({
    type: TaskSubmissionConnection,
    description:
      "The tasks created or proposed through this gateway by any viewer, the newest first. Needs the scope tasks:create, tasks:propose or tasks:approve.",
    ...needs(SEEING_SUBMISSIONS, page),
    args: pageArgs,
    resolve: (_, args, context) => taskSubmissions(args, context),
  }),
  taskSubmission: t.field({
    type: TaskSubmission,
    description:
      "A submission. Null where none has this id. Needs the scope tasks:create, tasks:propose or tasks:approve.",
    ...needs(SEEING_SUBMISSIONS, rows(1)),
    args: { id: t.arg.id({ required: true, description: "The id of a TaskSubmission." }) },
    resolve: (_, { id }, context) => taskSubmission(id, context),
  }),
  taskSubmissionByKey: t.field({
    type: TaskSubmission,
    description:
      "The submission that this viewer made with a key, for a client that lost the answer. Null where there is none. Needs the scope tasks:create, tasks:propose or tasks:approve.",
    ...needs(SEEING_SUBMISSIONS, rows(1)),
    args: { idempotencyKey: t.arg.string({ required: true, description: "The key of the createTask input." }) },
    resolve: (_, { idempotencyKey }, context) => taskSubmissionByKey(idempotencyKey, context),
  }),
}));

builder.subscriptionField("taskSubmission", (t) =>
  t.field({
    type: TaskSubmission,
    description:
      "A submission now, then again when its status changes. It completes when the status is final. With TASK_CORRELATION=off it completes at ACCEPTED and UNCONFIRMED, too. Needs the scope tasks:create, tasks:propose or tasks:approve.",
    ...needs(SEEING_SUBMISSIONS, rows(1)),
    args: { id: t.arg.id({ required: true, description: "The id of a TaskSubmission." }) },
    subscribe: (_, { id }, context) => watchSubmission(id, context),
    resolve: (submission) => valueOrThrow(submission),
  }),
);
