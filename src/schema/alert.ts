// Alerts on campaigns, which the rules in ALERTS_FILE raise.
import { keyNameOf, unitOf } from "../alerts/alertText.ts";
import { destinationNameOf } from "../alerts/destinationAlertText.ts";
import type { RuleInUse } from "../alerts/alertService.ts";
import { endings } from "../alerts/callWindow.ts";
import { ruleKinds } from "../alerts/alertFile.ts";
import { ACKNOWLEDGING } from "../auth/scopes.ts";
import {
  acknowledgeAlert,
  alerts,
  followRaised,
  openAlerts,
  raisedAlert,
  textOfAlert,
  type AlertConnection as Connection,
} from "../resolvers/alerts.ts";
import { taskOf } from "../resolvers/callLog.ts";
import { MAX_LIST_LENGTH } from "../resolvers/inputRules.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import type { Edge } from "../resolvers/pageInfo.ts";
import type { Alert as AlertData } from "../store/alerts/alertRows.ts";
import { builder, cursorText, filteredPage, needs, page, requests, rows, safeText } from "./builder.ts";
import { EDGE_CURSOR, EDGES, FIRST, NODES } from "./descriptions.ts";
import { AlertEnding, AlertKind, AlertLanguage, AlertUnit } from "./alertEnums.ts";
import { Node } from "./node.ts";
import { PageInfo, pageArgs } from "./pageInfo.ts";
import { Task } from "./task.ts";

const OWN = "From the operator's file.";
const SCOPES = "tasks:create, tasks:propose, tasks:approve or admin";

const Alert = builder.objectRef<AlertData>("Alert").implement({
  description:
    "Something that went wrong with calls or with what is sent on, as a rule of ALERTS_FILE has found. It holds no phone number.",
  interfaces: [Node],
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: "The graph's own id.",
      resolve: ({ id }) => nodeId("Alert", String(id)),
    }),
    rule: t.exposeString("rule", { nullable: false, description: "The name of the rule.", ...safeText(OWN) }),
    kind: t.field({
      type: AlertKind,
      description: "What the rule watches.",
      resolve: ({ kind }) => ruleKinds.find((known) => known === kind),
    }),
    text: t.string({
      nullable: false,
      description: "What it says, in a sentence.",
      args: {
        language: t.arg({ type: AlertLanguage, required: true, defaultValue: "en", description: "The language." }),
      },
      resolve: (alert, { language }) => textOfAlert(alert, language),
      ...safeText("Made of the operator's rule and names, IDs of the service and counts."),
    }),
    taskId: t.exposeID("taskId", { description: "The service's ID of the task. Null: it is about other calls." }),
    task: t.field({
      type: Task,
      description: "The task. Null: it is about other calls.",
      ...requests(1),
      resolve: ({ taskId }, _, context) => taskOf({ taskId }, context),
    }),
    assistantId: t.exposeID("assistantId", {
      description: "The service's ID of the assistant. Null: it is about other calls.",
    }),
    key: t.string({
      description:
        "The name of the API key whose limit is nearly used. Null: it is about calls. A name with a number in it is masked without the scope people:read.",
      resolve: (alert) => keyNameOf(alert),
    }),
    destination: t.string({
      description:
        "The name of the destination that takes nothing. Null: it is about something else. Only viewers with the scope admin see alerts about destinations.",
      resolve: (alert) => destinationNameOf(alert),
      ...safeText(OWN),
    }),
    value: t.exposeFloat("value", { nullable: false, description: "What was found, in the unit." }),
    threshold: t.exposeFloat("threshold", { nullable: false, description: "The limit of the rule, in the unit." }),
    unit: t.field({
      type: AlertUnit,
      nullable: false,
      description: "What the value and the threshold count.",
      resolve: (alert) => unitOf(alert),
    }),
    calls: t.exposeFloat("calls", {
      nullable: false,
      description: "Number of calls, or recordings, in which it was found. 0: it is about neither.",
    }),
    raisedAt: t.expose("raisedAt", {
      type: "DateTime",
      nullable: false,
      description: "When it was raised, by the time of the call that decided.",
    }),
    resolvedAt: t.expose("resolvedAt", { type: "DateTime", description: "When it was over. Null: it is open." }),
    ending: t.field({
      type: AlertEnding,
      description: "Why it is over. Null: it is open.",
      resolve: ({ ending }) => endings.find((known) => known === ending),
    }),
    acknowledgedAt: t.expose("acknowledgedAt", {
      type: "DateTime",
      description: "When somebody first said to have seen to it. Null: nobody has.",
    }),
    acknowledgedBy: t.exposeString("acknowledgedBy", {
      description:
        "The viewer that did: the name of its API key, or of the subject of its token. A name with a number in it is masked without the scope people:read.",
    }),
  }),
});

const AlertEdge = builder.objectRef<Edge<AlertData>>("AlertEdge").implement({
  description: "An alert and its cursor.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", { nullable: false, description: EDGE_CURSOR, ...cursorText }),
    node: t.expose("node", { type: Alert, nullable: false, description: "The alert." }),
  }),
});

const AlertConnection = builder.objectRef<Connection>("AlertConnection").implement({
  description: "A page of alerts.",
  fields: (t) => ({
    edges: t.expose("edges", { type: [AlertEdge], nullable: false, description: EDGES }),
    nodes: t.field({
      type: [Alert],
      nullable: false,
      description: NODES,
      resolve: ({ edges }) => edges.map(({ node }) => node),
    }),
    pageInfo: t.expose("pageInfo", { type: PageInfo, nullable: false, description: "The place of this page." }),
  }),
});

const AlertFilter = builder.inputType("AlertFilter", {
  description: "An alert must match every given field; null matches all alerts.",
  fields: (t) => ({
    open: t.boolean({ description: "True: open alerts. False: those that are over." }),
    taskIds: t.idList({
      description: `Alerts about one of these tasks, by the service's IDs. At most ${MAX_LIST_LENGTH}; an empty list matches nothing.`,
    }),
    assistantIds: t.idList({
      description: `Alerts about one of these assistants, by the service's IDs. At most ${MAX_LIST_LENGTH}; an empty list matches nothing.`,
    }),
  }),
});

const AlertRule = builder.objectRef<RuleInUse>("AlertRule").implement({
  description: "A rule of ALERTS_FILE.",
  ...needs("admin"),
  fields: (t) => ({
    name: t.string({
      nullable: false,
      description: "The name of the rule.",
      resolve: ({ rule }) => rule.name,
      ...safeText(OWN),
    }),
    kind: t.field({ type: AlertKind, description: "What it watches.", resolve: ({ rule }) => rule.kind }),
    doubts: t.stringList({
      nullable: false,
      resolve: ({ doubts }) => [...doubts],
      description: "Why it can never apply, or not to all that it names or watches. Empty: nothing is known.",
      ...safeText(OWN),
    }),
  }),
});

builder.objectField(Task, "alerts", (t) =>
  t.field({
    type: [Alert],
    nullable: false,
    description: "The open alerts about this task, the newest first.",
    ...page,
    args: { first: t.arg.int({ required: true, defaultValue: 10, description: FIRST }) },
    resolve: (task, args, context) => openAlerts(task, args, context),
  }),
);

builder.queryFields((t) => ({
  alerts: t.field({
    type: AlertConnection,
    description: "The alerts on campaigns, the newest first.",
    ...filteredPage,
    args: { ...pageArgs, filter: t.arg({ type: AlertFilter, description: "Which alerts. Null: all." }) },
    resolve: (_, args, context) => alerts(args, context),
  }),
  alertRules: t.field({
    type: [AlertRule],
    description: "The rules of alerts that are in use. Needs the scope admin.",
    ...needs("admin"),
    resolve: async (_, __, { alerts: service, queryOwner, queuedRead }) => [
      ...(await queuedRead(queryOwner, ["alert rules"], () => service.rules())),
    ],
  }),
}));

builder.mutationField("acknowledgeAlert", (t) =>
  t.field({
    type: Alert,
    description: `Says that somebody has seen to an alert. The first one stays. Null where none has this id. Needs the scope ${SCOPES}.`,
    ...needs(ACKNOWLEDGING, rows(1)),
    args: { id: t.arg.id({ required: true, description: "The id of an Alert." }) },
    resolve: (_, { id }, context) => acknowledgeAlert(id, context),
  }),
);

builder.subscriptionField("alertRaised", (t) =>
  t.field({
    type: Alert,
    nullable: false,
    description:
      "Each alert when it is raised. Where alerts that were raised after the argument are no longer kept, the subscription ends with CURSOR_EXPIRED: read Query.alerts, and subscribe after extensions.cursor.",
    ...rows(1),
    args: {
      after: t.arg.id({
        description:
          "The id of the last alert that the client has, or extensions.cursor. Missed alerts come first, in the order in which they were told; one that the client has may be repeated. Null: new alerts only.",
      }),
    },
    subscribe: (_, args, context) => followRaised(args, context),
    resolve: (alert, _, context) => raisedAlert(alert, context),
  }),
);
