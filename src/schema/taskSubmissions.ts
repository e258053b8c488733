// The roots that show submissions, and tasks as they go on.
import type { Edge } from "../resolvers/pageInfo.ts";
import {
  taskSubmission,
  taskSubmissionByKey,
  taskSubmissions,
  watched,
  watchProgress,
  watchSubmission,
  type TaskSubmissionConnection as Connection,
} from "../resolvers/submissions.ts";
import type { Submission } from "../store/tasks/submissionStore.ts";
import { asks, builder, cursorText, marks, needs, page, rows } from "./builder.ts";
import { PageInfo } from "./pageInfo.ts";
import { Task } from "./task.ts";
import { TaskSubmission } from "./taskSubmission.ts";

const TaskSubmissionEdge = builder.objectRef<Edge<Submission>>("TaskSubmissionEdge").implement({
  ...needs("tasks:create"),
  fields: (t) => ({
    cursor: t.exposeString("cursor", { nullable: false, ...cursorText }),
    node: t.expose("node", { type: TaskSubmission, nullable: false }),
  }),
});

const TaskSubmissionConnection = builder.objectRef<Connection>("TaskSubmissionConnection").implement({
  ...needs("tasks:create"),
  fields: (t) => ({
    edges: t.expose("edges", { type: [TaskSubmissionEdge], nullable: false }),
    nodes: t.field({
      type: [TaskSubmission],
      nullable: false,
      resolve: ({ edges }) => edges.map(({ node }) => node),
    }),
    pageInfo: t.expose("pageInfo", { type: PageInfo, nullable: false }),
  }),
});

builder.queryFields((t) => ({
  taskSubmissions: t.field({
    type: TaskSubmissionConnection,
    description:
      "Tasks created through this gateway, by whomever, newest first. Needs the scope tasks:create. first: 1 to 100.",
    ...needs("tasks:create", page),
    args: { first: t.arg.int({ required: true, defaultValue: 10 }), after: t.arg.string() },
    resolve: (_, args, context) => taskSubmissions(args, context),
  }),
  taskSubmission: t.field({
    type: TaskSubmission,
    description: "Needs the scope tasks:create.",
    ...needs("tasks:create", rows(1)),
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => taskSubmission(id, context),
  }),
  taskSubmissionByKey: t.field({
    type: TaskSubmission,
    description:
      "For a client that lost the answer: the submission that this viewer made with the key. Needs the scope tasks:create.",
    ...needs("tasks:create", rows(1)),
    args: { idempotencyKey: t.arg.string({ required: true }) },
    resolve: (_, { idempotencyKey }, context) => taskSubmissionByKey(idempotencyKey, context),
  }),
}));

builder.subscriptionFields((t) => ({
  taskProgress: t.field({
    type: Task,
    description:
      "A task now, and again when one of its calls ends, or when a look every few seconds, shared by all who watch, finds its numbers changed.",
    ...marks(asks(1), rows(0)),
    args: { taskId: t.arg.id({ required: true }) },
    subscribe: (_, { taskId }, context) => watchProgress(taskId, context),
    resolve: (task) => watched(task),
  }),
  taskSubmission: t.field({
    type: TaskSubmission,
    description:
      "A submission now, and again when its status changes; completes once that can change no more, or, with TASK_CORRELATION=off, once the service's answer is known: a comparison may still resolve it then. Needs the scope tasks:create.",
    ...needs("tasks:create", rows(1)),
    args: { id: t.arg.id({ required: true }) },
    subscribe: (_, { id }, context) => watchSubmission(id, context),
    resolve: (submission) => watched(submission),
  }),
}));
