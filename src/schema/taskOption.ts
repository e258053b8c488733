import { intOf } from "../resolvers/tasks.ts";
import type { TaskOptionRecord } from "../upstream/upstream.ts";
import { builder, needs } from "./builder.ts";

const NumberFileColumn = builder.objectRef<{ key: string; value: number }>("NumberFileColumn").implement({
  fields: (t) => ({
    key: t.exposeString("key", {
      nullable: false,
      description: "As the service names it: 号码 (number), 备注 (remarks), 姓名 (name).",
    }),
    value: t.exposeInt("value", { nullable: false }),
  }),
});

export const TaskOption = builder.objectRef<TaskOptionRecord>("TaskOption").implement({
  ...needs("calls:read"),
  fields: (t) => ({
    numberFileMeta: t.expose("numberFileMeta", {
      type: [NumberFileColumn],
      nullable: false,
      description: "The columns of the number file, in the service's order.",
    }),
    lineIds: t.exposeIDList("lineIds", {
      nullable: false,
      description: "IDs of the outgoing lines (the service calls them numbers).",
    }),
    startDate: t.exposeString("startDate"),
    periods: t.expose("periods", {
      type: t.listRef(t.listRef("String")),
      nullable: false,
      description: "Execution time periods (the service calls them startTime).",
    }),
    retryCount: t.int({ resolve: ({ retryCount }) => intOf("retryCount", retryCount) }),
    retryInterval: t.int({
      description: "In the service's unit, undocumented when it is read.",
      resolve: ({ retryInterval }) => intOf("retryInterval", retryInterval),
    }),
  }),
});
