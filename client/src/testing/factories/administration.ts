// Factories of what needs the scope admin: quarantine, erasure, the never-call list, the audit log and imports of earlier calls.
import type {
  AuditEvent,
  AuditEventConnection,
  AuditEventEdge,
  DiscardQuarantinedPayload,
  DoNotCall,
  DoNotCallPayload,
  ForgetPhonePayload,
  HistoryImport,
  ImportHistoryPayload,
  QuarantinedDelivery,
  QuarantinedDeliveryConnection,
  QuarantinedDeliveryEdge,
  RawDelivery,
  ReprocessQuarantinedPayload,
  RereadDeliveriesPayload,
} from "../../generated/graph.ts";
import { callEnded } from "./entities.ts";
import { createFactory, edgesOf } from "./factory.ts";
import { pageInfo } from "./values.ts";

export const forgetPhonePayload = createFactory<ForgetPhonePayload>("ForgetPhonePayload", {
  calls: 1,
  events: 1,
  rawDeliveries: 1,
  quarantined: 0,
  recordings: 1,
  submissions: 0,
  proposals: 0,
});
export const historyImport = createFactory<HistoryImport>("HistoryImport", {
  state: "DONE",
  problem: null,
  since: "2026-10-20T00:00:00.000Z",
  until: "2026-11-20T00:00:00.000Z",
  readThrough: "2026-11-20T00:00:00.000Z",
  progress: 1,
  secondsLeft: null,
  windows: 31,
  calls: 4000,
  tooOld: 0,
  leftOut: 0,
  startedBy: "admin",
  startedAt: "2026-11-20T01:00:00.000Z",
  endedAt: "2026-11-20T01:00:10.000Z",
});
export const importHistoryPayload = createFactory<ImportHistoryPayload>("ImportHistoryPayload", {
  import: () => historyImport({ state: "RUNNING", progress: 0, windows: 0, calls: 0, endedAt: null }),
  isNew: true,
});
export const rawDelivery = createFactory<RawDelivery>("RawDelivery", {
  event: () => callEnded(),
  body: "{}",
  missing: null,
});
export const rereadDeliveriesPayload = createFactory<RereadDeliveriesPayload>("RereadDeliveriesPayload", {
  read: 1,
  changed: 0,
  unreadable: 0,
  cursor: "event-1",
  hasNextPage: false,
});
export const quarantinedDelivery = createFactory<QuarantinedDelivery>("QuarantinedDelivery", {
  id: "QuarantinedDelivery:1",
  receivedAt: "2026-11-20T01:31:01.000Z",
  kind: "UNREADABLE",
  reason: "The body is no JSON.",
  charset: null,
  body: "{",
});
export const quarantinedDeliveryEdge = createFactory<QuarantinedDeliveryEdge>("QuarantinedDeliveryEdge", {
  cursor: "cursor-1",
  node: () => quarantinedDelivery(),
});
export const quarantinedDeliveryConnection = createFactory<QuarantinedDeliveryConnection>(
  "QuarantinedDeliveryConnection",
  {
    nodes: () => [quarantinedDelivery()],
    edges: ({ nodes = [quarantinedDelivery()] }) => edgesOf(nodes, quarantinedDeliveryEdge),
    pageInfo: () => pageInfo(),
  },
);
export const reprocessQuarantinedPayload = createFactory<ReprocessQuarantinedPayload>("ReprocessQuarantinedPayload", {
  event: ({ reason = null }) => (reason === null ? callEnded() : null),
  reason: null,
});
export const discardQuarantinedPayload = createFactory<DiscardQuarantinedPayload>("DiscardQuarantinedPayload", {
  delivery: () => quarantinedDelivery(),
});

export const doNotCall = createFactory<DoNotCall>("DoNotCall", { count: 1, contains: false });
export const doNotCallPayload = createFactory<DoNotCallPayload>("DoNotCallPayload", {
  changed: 1,
  unreadable: () => [],
  reasons: () => [],
});

export const auditEvent = createFactory<AuditEvent>("AuditEvent", {
  id: "AuditEvent:1",
  at: "2026-11-20T01:31:01.000Z",
  actor: "web",
  via: null,
  tool: null,
  client: null,
  action: "TASK_SUBMITTED",
  subjectId: "TaskSubmission:key-1",
  count: 10,
});
export const auditEventEdge = createFactory<AuditEventEdge>("AuditEventEdge", {
  cursor: "cursor-1",
  node: () => auditEvent(),
});
export const auditEventConnection = createFactory<AuditEventConnection>("AuditEventConnection", {
  nodes: () => [auditEvent()],
  edges: ({ nodes = [auditEvent()] }) => edgesOf(nodes, auditEventEdge),
  pageInfo: () => pageInfo(),
});
