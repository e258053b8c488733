// Query.tasks: the tasks that the gateway knows.
import { taskOf } from "../resolvers/callLog.ts";
import { knownTasks, type TaskConnection as Connection, type TaskEdge as Edge } from "../resolvers/knownTasks.ts";
import { requests, builder, cursorText, page } from "./builder.ts";
import { EDGE_CURSOR, EDGES, NODES } from "./descriptions.ts";
import { PageInfo, pageArgs } from "./pageInfo.ts";
import { Task } from "./task.ts";

const TaskEdge = builder.objectRef<Edge>("TaskEdge").implement({
  description: "A task and its cursor.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", { nullable: false, description: EDGE_CURSOR, ...cursorText }),
    node: t.field({
      type: Task,
      description: "The task. Null where the service has it no longer.",
      ...requests(1),
      resolve: (edge, _, context) => taskOf(edge, context),
    }),
  }),
});

const TaskConnection = builder.objectRef<Connection>("TaskConnection").implement({
  description: "A page of tasks.",
  fields: (t) => ({
    edges: t.expose("edges", { type: [TaskEdge], nullable: false, description: EDGES }),
    nodes: t.field({
      type: [Task],
      nullable: { list: false, items: true },
      description: `${NODES} An entry is null where the service has the task no longer.`,
      ...requests(1),
      resolve: ({ edges }, _, context) => edges.map((edge) => taskOf(edge, context)),
    }),
    pageInfo: t.expose("pageInfo", { type: PageInfo, nullable: false, description: "The place of this page." }),
  }),
});

builder.queryField("tasks", (t) =>
  t.field({
    type: TaskConnection,
    description:
      "The tasks that the gateway knows from submissions, events and queries, the last active first. The service itself has no list of tasks.",
    ...page,
    args: pageArgs,
    resolve: (_, args, context) => knownTasks(args, context),
  }),
);
