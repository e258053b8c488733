import { nodeId } from "../resolvers/nodeId.ts";
import { intOf, task, tasksByIds } from "../resolvers/tasks.ts";
import type { TaskRecord } from "../upstream/upstream.ts";
import { Assistant } from "./assistant.ts";
import { asks, builder, needs } from "./builder.ts";
import { TaskStatus } from "./enums.ts";
import { Node } from "./node.ts";
import { TaskOption } from "./taskOption.ts";
import { UnreadField } from "./unreadField.ts";

export const Task = builder.objectRef<TaskRecord>("Task").implement({
  description: "A batch of phone numbers called by one assistant on a schedule, with retries.",
  interfaces: [Node],
  ...needs("calls:read"),
  fields: (t) => ({
    id: t.id({ nullable: false, resolve: ({ taskId }) => nodeId("Task", taskId) }),
    taskId: t.exposeID("taskId", { nullable: false }),
    name: t.exposeString("name"),
    status: t.field({ type: TaskStatus, nullable: false, resolve: ({ status }) => status ?? "unknown" }),
    total: t.int({ description: "Count of numbers in the task.", resolve: ({ total }) => intOf("total", total) }),
    progress: t.exposeFloat("progress", { description: "Percent." }),
    collectionRate: t.exposeFloat("collectionRate", { description: "Percent." }),
    summary: t.exposeString("summary"),
    suggestion: t.exposeString("suggestion"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
    option: t.field({ type: TaskOption, resolve: ({ option }) => option() }),
    assistantVersionId: t.exposeID("assistantVersionId"),
    assistant: t.field({ type: Assistant, resolve: ({ assistant }) => assistant() }),
    unread: t.field({
      type: [UnreadField],
      nullable: false,
      description:
        "Usually empty. Of a time that means one of two instants, it holds the service's text beside the one shown.",
      resolve: ({ unread }) => unread(),
    }),
  }),
});

builder.queryFields((t) => ({
  task: t.field({
    type: Task,
    ...asks(1),
    args: { taskId: t.arg.id({ required: true }) },
    resolve: (_, { taskId }, context) => task(taskId, context),
  }),
  tasksByIds: t.field({
    type: [Task],
    nullable: { list: true, items: true },
    description: "In the order asked; null where the service has none. At most 100.",
    ...asks(({ taskIds }: { taskIds: string[] }) => taskIds.length),
    args: { taskIds: t.arg.idList({ required: true }) },
    resolve: (_, { taskIds }, context) => tasksByIds(taskIds, context),
  }),
}));
