// The root that lists the tasks the gateway knows of.
import { knownTasks, type TaskConnection as Connection, type TaskEdge as Edge } from "../resolvers/knownTasks.ts";
import { taskOf } from "../resolvers/callLog.ts";
import { asks, builder, cursorText, page } from "./builder.ts";
import { PageInfo } from "./pageInfo.ts";
import { Task } from "./task.ts";

const TaskEdge = builder.objectRef<Edge>("TaskEdge").implement({
  fields: (t) => ({
    cursor: t.exposeString("cursor", { nullable: false, ...cursorText }),
    node: t.field({ type: Task, ...asks(1), resolve: (edge, _, context) => taskOf(edge, context) }),
  }),
});

const TaskConnection = builder.objectRef<Connection>("TaskConnection").implement({
  fields: (t) => ({
    edges: t.expose("edges", { type: [TaskEdge], nullable: false }),
    nodes: t.field({
      type: [Task],
      nullable: { list: false, items: true },
      ...asks(1),
      resolve: ({ edges }, _, context) => edges.map((edge) => taskOf(edge, context)),
    }),
    pageInfo: t.expose("pageInfo", { type: PageInfo, nullable: false }),
  }),
});

builder.queryField("tasks", (t) =>
  t.field({
    type: TaskConnection,
    description:
      "The tasks the gateway knows of, by a submission, an event or a query: the service has no list. Last active first. first: 1 to 100.",
    ...page,
    args: { first: t.arg.int({ required: true, defaultValue: 10 }), after: t.arg.string() },
    resolve: (_, args, context) => knownTasks(args, context),
  }),
);
