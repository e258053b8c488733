import { MAX_LIST_LENGTH } from "../resolvers/inputRules.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import { intOf, task, tasksByIds, valueOrThrow, watchProgress } from "../resolvers/tasks.ts";
import type { TaskOptionRecord, TaskRecord } from "../upstream/upstream.ts";
import { Assistant } from "./assistant.ts";
import { requests, builder, marks, needs, rows } from "./builder.ts";
import { UNKNOWN_UNIT, UNREAD } from "./descriptions.ts";
import { TaskStatus } from "./enums.ts";
import { Node } from "./node.ts";
import { UnreadField } from "./unreadField.ts";

const NumberFileColumn = builder.objectRef<{ key: string; value: number }>("NumberFileColumn").implement({
  description: "A column of the number file of a task.",
  fields: (t) => ({
    key: t.exposeString("key", {
      nullable: false,
      description: "The service's name of the column: 号码 (number), 备注 (remarks) or 姓名 (name).",
    }),
    value: t.exposeInt("value", {
      nullable: false,
      description: "The service's value of the column. Its documentation does not state what it means.",
    }),
  }),
});

const TaskOption = builder.objectRef<TaskOptionRecord>("TaskOption").implement({
  description: "When and how a task calls its numbers.",
  ...needs("calls:read"),
  fields: (t) => ({
    numberFileMeta: t.expose("numberFileMeta", {
      type: [NumberFileColumn],
      nullable: false,
      description: "The columns of the number file, in the service's order.",
    }),
    lineIds: t.exposeIDList("lineIds", {
      nullable: false,
      description: "The IDs of the outgoing lines. The service calls them numbers.",
    }),
    startDate: t.exposeString("startDate", {
      description: "The first day of calls, as the service writes it. Null where it does not state it.",
    }),
    periods: t.expose("periods", {
      type: t.listRef(t.listRef("String")),
      nullable: false,
      description: "The times of day at which calls are made, as the service writes them. It calls them startTime.",
    }),
    retryCount: t.int({
      description: "Number of retries. Null where the service does not state it.",
      resolve: ({ retryCount }) => intOf("retryCount", retryCount),
    }),
    retryInterval: t.int({
      description: `Time between retries. ${UNKNOWN_UNIT}`,
      resolve: ({ retryInterval }) => intOf("retryInterval", retryInterval),
    }),
  }),
});

export const Task = builder.objectRef<TaskRecord>("Task").implement({
  description:
    "A batch of phone numbers that one assistant calls on a schedule, with retries. A field is null where the service does not state it.",
  interfaces: [Node],
  ...needs("calls:read"),
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: "The graph's own id.",
      resolve: ({ taskId }) => nodeId("Task", taskId),
    }),
    taskId: t.exposeID("taskId", { nullable: false, description: "The service's ID of the task." }),
    name: t.exposeString("name", { description: "The name of the task." }),
    status: t.field({
      type: TaskStatus,
      nullable: false,
      description: "The status of the task.",
      resolve: ({ status }) => status ?? "unknown",
    }),
    total: t.int({
      description: "Count of numbers in the task.",
      resolve: ({ total }) => intOf("total", total),
    }),
    progress: t.exposeFloat("progress", { description: "How much of the task is done, in percent." }),
    collectionRate: t.exposeFloat("collectionRate", {
      description: "The share of collected answers as the service states it, in percent.",
    }),
    summary: t.exposeString("summary", { description: "The service's summary of the task." }),
    suggestion: t.exposeString("suggestion", { description: "The service's suggestion for the task." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the task was created." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When the task was last updated." }),
    option: t.field({
      type: TaskOption,
      description: "When and how the numbers are called.",
      resolve: ({ option }) => option(),
    }),
    assistantVersionId: t.exposeID("assistantVersionId", {
      description: "The service's ID of the version of the assistant that makes the calls.",
    }),
    assistant: t.field({
      type: Assistant,
      description: "The version of the assistant that makes the calls.",
      resolve: ({ assistant }) => assistant(),
    }),
    unread: t.field({
      type: [UnreadField],
      nullable: false,
      description: UNREAD,
      resolve: ({ unread }) => unread(),
    }),
  }),
});

builder.queryFields((t) => ({
  task: t.field({
    type: Task,
    description: "A task. Null where the service has none with this ID.",
    ...requests(1),
    args: { taskId: t.arg.id({ required: true, description: "The service's ID of the task." }) },
    resolve: (_, { taskId }, context) => task(taskId, context),
  }),
  tasksByIds: t.field({
    type: [Task],
    nullable: { list: true, items: true },
    description:
      "Tasks in the order of their IDs in the argument. An entry is null where the service has no such task.",
    ...requests(({ taskIds }: { taskIds: string[] }) => taskIds.length),
    args: {
      taskIds: t.arg.idList({
        required: true,
        description: `The service's IDs of the tasks, at most ${MAX_LIST_LENGTH}.`,
      }),
    },
    resolve: (_, { taskIds }, context) => tasksByIds(taskIds, context),
  }),
}));

builder.subscriptionField("taskProgress", (t) =>
  t.field({
    type: Task,
    description:
      "The task now, then again when one of its calls ends or when a check every few seconds finds a change. Null where the service has no such task.",
    ...marks(requests(1), rows(0)),
    args: { taskId: t.arg.id({ required: true, description: "The service's ID of the task." }) },
    subscribe: (_, { taskId }, context) => watchProgress(taskId, context),
    resolve: (task) => valueOrThrow(task),
  }),
);
