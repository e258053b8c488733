// Task.callLogs, apart from the task: a call shows its task and a task its calls, and neither file waits for the other.
import { taskCallLogs } from "../resolvers/callLogs.ts";
import { asks, builder, needs } from "./builder.ts";
import { CallLogConnection, listRequests } from "./callLog.ts";
import { CallDirection, CallKind } from "./enums.ts";
import { Task } from "./task.ts";

const TaskCallLogFilter = builder.inputType("TaskCallLogFilter", {
  fields: (t) => ({
    since: t.field({ type: "DateTime" }),
    until: t.field({ type: "DateTime" }),
    direction: t.field({ type: CallDirection }),
    phone: t.string({ description: "Needs the scope people:read.", ...needs("people:read") }),
    kind: t.field({ type: CallKind }),
  }),
});

builder.objectField(Task, "callLogs", (t) =>
  t.field({
    type: CallLogConnection,
    description:
      "The task's calls; the range defaults to the task's whole life. Many tasks are asked together where the service allows it.",
    ...asks(listRequests),
    args: {
      first: t.arg.int({ required: true, defaultValue: 10 }),
      after: t.arg.string(),
      filter: t.arg({ type: TaskCallLogFilter }),
    },
    resolve: (task, args, context) => taskCallLogs(task, args, context),
  }),
);
