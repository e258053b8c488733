// The audit log: Query.auditEvents.
import { auditEvents, subjectId, type AuditEventConnection as Connection } from "../resolvers/auditEvents.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import type { Edge } from "../resolvers/pageInfo.ts";
import type {
  AuditAction as Action,
  AuditEvent as AuditEventData,
  AuditWay as Way,
} from "../store/audit/auditStore.ts";
import { MAX_LIST_LENGTH } from "../resolvers/inputRules.ts";
import { builder, cursorText, filteredPage, needs, safeText } from "./builder.ts";
import { EDGE_CURSOR, EDGES, NODES } from "./descriptions.ts";
import { Node } from "./node.ts";
import { PageInfo, pageArgs } from "./pageInfo.ts";

const AuditAction = builder.enumType("AuditAction", {
  description: "What a viewer did. New values may be added.",
  values: {
    TASK_SUBMITTED: { description: "The viewer sent a task to the service with createTask." },
    TASK_PROPOSED: { description: "The viewer proposed a task with createTask." },
    TASK_APPROVED: { description: "The viewer approved a proposed task, and the gateway sent it to the service." },
    TASK_DECLINED: { description: "The viewer declined a proposed task, or erased a phone number of it." },
    TASK_EXPIRED: { description: "Nobody approved the task that the viewer had proposed." },
    PHONE_FORGOTTEN: { description: "The viewer erased a phone number with forgetPhone." },
    DELIVERY_REPROCESSED: {
      description: "The viewer moved a delivery from quarantine to the event log with reprocessQuarantined.",
    },
    DELIVERY_DISCARDED: { description: "The viewer removed a delivery from quarantine with discardQuarantined." },
    DELIVERY_SHOWN: { description: "The viewer was shown an accepted delivery as it came, with rawDelivery." },
    DELIVERIES_REREAD: {
      description:
        "The viewer read accepted deliveries again with rereadDeliveries. There is one entry per viewer and hour (UTC).",
    },
    RECORDING_PLAYED: {
      description:
        "The viewer asked for the sound of a recording. There is one entry per viewer, recording and hour (UTC).",
    },
    DO_NOT_CALL_ADDED: { description: "The viewer added numbers to the never-call list." },
    DO_NOT_CALL_REMOVED: { description: "The viewer removed numbers from the never-call list." },
    HISTORY_IMPORTED: { description: "The viewer started an import of earlier calls with importHistory." },
    HISTORY_IMPORT_CANCELLED: { description: "The viewer ended an import with cancelHistoryImport." },
    DESTINATION_CHANGED: { description: "The viewer paused or resumed a destination, or set its place in the log." },
    ALERT_ACKNOWLEDGED: { description: "The viewer said with acknowledgeAlert to have seen to an alert." },
  } as const satisfies Record<Action, { description: string }>,
});

const AuditWay = builder.enumType("AuditWay", {
  description: "In which way a viewer did something. New values may be added.",
  values: {
    MCP: { description: "By a tool of /mcp: an agent did it with the viewer's key or token." },
  } as const satisfies Record<Way, { description: string }>,
});

const AuditEvent = builder.objectRef<AuditEventData>("AuditEvent").implement({
  description: "What a viewer did, without phone numbers. The gateway keeps it for 400 days.",
  interfaces: [Node],
  ...needs("admin"),
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: "The graph's own id.",
      resolve: ({ id }) => nodeId("AuditEvent", String(id)),
    }),
    at: t.expose("at", { type: "DateTime", nullable: false, description: "When it happened." }),
    actor: t.exposeString("actor", {
      nullable: false,
      description:
        "The viewer: the name of its API key, or of the subject of its token. A name with a number in it is masked without the scope people:read.",
    }),
    via: t.field({
      type: AuditWay,
      description:
        "MCP where an agent did it. Null: the viewer did it in another way, such as at /graphql or in the console.",
      resolve: ({ agent }) => agent && "MCP",
    }),
    tool: t.string({
      description: "The tool that the agent used. Null unless via is MCP.",
      ...safeText("From the gateway's or the operator's file."),
      resolve: ({ agent }) => agent?.tool ?? null,
    }),
    client: t.string({
      description:
        "The agent's program, as it names itself: the gateway does not check it. At most 64 visible characters of ASCII, with numbers masked. Null where it does not, and unless via is MCP.",
      resolve: ({ agent }) => agent?.client ?? null,
    }),
    action: t.expose("action", { type: AuditAction, nullable: false, description: "What the viewer did." }),
    subjectId: t.id({
      description:
        "The graph's id of the TaskSubmission, QuarantinedDelivery, Recording, Alert, or for DELIVERY_SHOWN of the first entry of the call. The gateway may no longer have it. Null for PHONE_FORGOTTEN, DELIVERIES_REREAD, DO_NOT_CALL_ADDED, DO_NOT_CALL_REMOVED and imports of history, and where the call was erased.",
      resolve: subjectId,
    }),
    count: t.exposeInt("count", {
      nullable: false,
      description:
        "TASK_SUBMITTED, TASK_PROPOSED, TASK_APPROVED, TASK_DECLINED, TASK_EXPIRED: the count of the task's numbers. PHONE_FORGOTTEN: the count of erased events, revisions included. DELIVERIES_REREAD: the count of revisions that were appended. DO_NOT_CALL_ADDED, DO_NOT_CALL_REMOVED: the count of changed entries. Otherwise 1.",
    }),
  }),
});

const AuditEventEdge = builder.objectRef<Edge<AuditEventData>>("AuditEventEdge").implement({
  description: "An entry of the audit log and its cursor.",
  ...needs("admin"),
  fields: (t) => ({
    cursor: t.exposeString("cursor", { nullable: false, description: EDGE_CURSOR, ...cursorText }),
    node: t.expose("node", { type: AuditEvent, nullable: false, description: "The entry." }),
  }),
});

const AuditEventConnection = builder.objectRef<Connection>("AuditEventConnection").implement({
  description: "A page of the audit log.",
  ...needs("admin"),
  fields: (t) => ({
    edges: t.expose("edges", { type: [AuditEventEdge], nullable: false, description: EDGES }),
    nodes: t.field({
      type: [AuditEvent],
      nullable: false,
      description: NODES,
      resolve: ({ edges }) => edges.map(({ node }) => node),
    }),
    pageInfo: t.expose("pageInfo", { type: PageInfo, nullable: false, description: "The place of this page." }),
  }),
});

const AuditEventFilter = builder.inputType("AuditEventFilter", {
  description: "An entry must match every given field; null matches all entries.",
  fields: (t) => ({
    actors: t.stringList({
      description: `Entries of one of these viewers, by their whole names. At most ${MAX_LIST_LENGTH}; an empty list matches nothing. A name with a number in it needs the scope people:read.`,
    }),
    actions: t.field({
      type: [AuditAction],
      description: `Entries of one of these actions. At most ${MAX_LIST_LENGTH}; an empty list matches nothing.`,
    }),
    subjectId: t.id({
      description:
        "Entries about this TaskSubmission, QuarantinedDelivery, Recording, CallEnded or Alert. The id of a call's event and of its recording give the entries of both.",
    }),
    via: t.field({ type: AuditWay, description: "Entries of what was done in this way, such as by agents." }),
    since: t.field({ type: "DateTime", description: "Entries at or after this instant." }),
    until: t.field({ type: "DateTime", description: "Entries before this instant." }),
  }),
});

builder.queryField("auditEvents", (t) =>
  t.field({
    type: AuditEventConnection,
    description: "What viewers did, the newest first. Needs the scope admin.",
    ...needs("admin", filteredPage),
    args: { ...pageArgs, filter: t.arg({ type: AuditEventFilter, description: "Which entries. Null: all." }) },
    resolve: (_, args, context) => auditEvents(args, context),
  }),
);
