// The audit log: Query.auditEvents.
import { auditEvents, subjectId, type AuditEventConnection as Connection } from "../resolvers/auditEvents.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import type { Edge } from "../resolvers/pageInfo.ts";
import type { AuditEvent as AuditEventData } from "../store/audit/auditStore.ts";
import { builder, cursorText, needs, page } from "./builder.ts";
import { EDGE_CURSOR, EDGES, NODES } from "./descriptions.ts";
import { AuditAction } from "./enums.ts";
import { Node } from "./node.ts";
import { PageInfo, pageArgs } from "./pageInfo.ts";

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
    action: t.expose("action", { type: AuditAction, nullable: false, description: "What the viewer did." }),
    subjectId: t.id({
      description:
        "The graph's id of the TaskSubmission, QuarantinedDelivery, Recording, or for DELIVERY_SHOWN of the first entry of the call. The gateway may no longer have it. Null for PHONE_FORGOTTEN, DELIVERIES_REREAD, DO_NOT_CALL_ADDED and DO_NOT_CALL_REMOVED, and where the call was erased.",
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

builder.queryField("auditEvents", (t) =>
  t.field({
    type: AuditEventConnection,
    description: "What viewers did, the newest first. Needs the scope admin.",
    ...needs("admin", page),
    args: pageArgs,
    resolve: (_, args, context) => auditEvents(args, context),
  }),
);
