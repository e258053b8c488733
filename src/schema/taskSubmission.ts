import { nodeId } from "../resolvers/nodeId.ts";
import { taskOfSubmission } from "../resolvers/submissions.ts";
import type { Submission } from "../store/tasks/submissionStore.ts";
import { asks, builder, needs, safeText } from "./builder.ts";
import { SubmissionStatus, TaskMatch } from "./enums.ts";
import { Node } from "./node.ts";
import { Task } from "./task.ts";

export const TaskSubmission = builder.objectRef<Submission>("TaskSubmission").implement({
  description:
    "A task sent through this gateway. The service does not return the ID of a created task; the gateway learns it from the first call-ended event that carries this submission's mark, and then gives the task. Without marks (TASK_CORRELATION=off), or where no webhook came, it is found by comparison.",
  interfaces: [Node],
  ...needs("tasks:create"),
  fields: (t) => ({
    id: t.id({ nullable: false, resolve: ({ id }) => nodeId("TaskSubmission", id) }),
    idempotencyKey: t.exposeString("idempotencyKey", {
      nullable: false,
      ...safeText("Made by a client, which must find it again."),
    }),
    status: t.expose("status", { type: SubmissionStatus, nullable: false }),
    name: t.exposeString("name", { nullable: false }),
    assistantId: t.exposeID("assistantId", { nullable: false }),
    numberCount: t.exposeInt("numberCount", { nullable: false }),
    submittedAt: t.expose("submittedAt", { type: "DateTime", nullable: false }),
    taskId: t.exposeID("taskId", { description: "Null unless it is RESOLVED." }),
    matchedBy: t.expose("matchedBy", {
      type: TaskMatch,
      description:
        "How the task was found. Null unless it is RESOLVED, and of submissions that were resolved before this was kept.",
    }),
    task: t.field({
      type: Task,
      ...asks(1),
      resolve: (submission, _, context) => taskOfSubmission(submission, context),
    }),
  }),
});
