import { wasAnswered } from "../events/callEnded.ts";
import { callLogId, taskOf } from "../resolvers/callLog.ts";
import { callLogs, type CallLogConnection as CallLogConnectionData } from "../resolvers/callLogs.ts";
import { phoneFor } from "../resolvers/maskPhone.ts";
import type { Edge } from "../resolvers/pageInfo.ts";
import type { CallLogRecord } from "../upstream/upstream.ts";
import { CallAssistant } from "./callAssistant.ts";
import { asks, builder, needs } from "./builder.ts";
import { CallDirection, CallKind } from "./enums.ts";
import { PageInfo } from "./pageInfo.ts";
import { Task } from "./task.ts";
import { UnreadField } from "./unreadField.ts";

const MASKED = "Masked without the scope people:read.";

export const CallLog = builder.objectRef<CallLogRecord>("CallLog").implement({
  description: "One call of the service's call log.",
  ...needs("calls:read"),
  fields: (t) => ({
    id: t.id({ nullable: false, resolve: (call, _, context) => callLogId(call, context) }),
    sessionId: t.exposeID("sessionId", { description: "The service may leave it out." }),
    taskId: t.exposeID("taskId", { description: "Null for an inbound call." }),
    task: t.field({ type: Task, ...asks(1), resolve: (call, _, context) => taskOf(call, context) }),
    direction: t.expose("direction", { type: CallDirection }),
    caller: t.string({ description: MASKED, resolve: (call, _, { viewer }) => phoneFor(viewer, call.caller) }),
    callee: t.string({ description: MASKED, resolve: (call, _, { viewer }) => phoneFor(viewer, call.callee) }),
    startAt: t.expose("startAt", { type: "DateTime" }),
    answerAt: t.expose("answerAt", { type: "DateTime", description: "Null for a call that was not answered." }),
    endAt: t.expose("endAt", { type: "DateTime" }),
    duration: t.exposeFloat("duration", { description: "Total duration, in the service's unit (undocumented)." }),
    billsec: t.exposeFloat("billsec", {
      description: "Answered (billed) duration, in the service's unit (undocumented).",
    }),
    answered: t.boolean({
      description: "It has an answer time or a billed duration above 0.",
      resolve: (call) => wasAnswered(call),
    }),
    recordFile: t.exposeString("recordFile", {
      description: "Recording location, as the service's list gives it. Needs the scope recordings:read.",
      ...needs("recordings:read"),
    }),
    assistants: t.expose("assistants", { type: [CallAssistant], nullable: false }),
    unread: t.expose("unread", { type: [UnreadField], nullable: false, description: "Usually empty." }),
  }),
});

const CallLogEdge = builder.objectRef<Edge<CallLogRecord>>("CallLogEdge").implement({
  fields: (t) => ({
    cursor: t.exposeString("cursor", { nullable: false }),
    node: t.expose("node", { type: CallLog, nullable: false }),
  }),
});

export const CallLogConnection = builder.objectRef<CallLogConnectionData>("CallLogConnection").implement({
  fields: (t) => ({
    edges: t.expose("edges", { type: [CallLogEdge], nullable: false }),
    nodes: t.field({ type: [CallLog], nullable: false, resolve: ({ edges }) => edges.map(({ node }) => node) }),
    pageInfo: t.expose("pageInfo", { type: PageInfo, nullable: false }),
    totalCount: t.exposeInt("totalCount", { nullable: false }),
    since: t.expose("since", {
      type: "DateTime",
      nullable: false,
      description: "The range that was asked of the service: fixed by the first page, carried by its cursors.",
    }),
    until: t.expose("until", { type: "DateTime", nullable: false }),
  }),
});

const CallLogFilter = builder.inputType("CallLogFilter", {
  description: "The service decides by which of a call's times; whole seconds.",
  fields: (t) => ({
    taskIds: t.idList({ description: "At most 10, the service's limit. An empty list matches nothing." }),
    since: t.field({
      type: "DateTime",
      description: "Default: the start of until's day, or of today, in the service's time zone.",
    }),
    until: t.field({ type: "DateTime", description: "Default: the end of today in the service's time zone." }),
    direction: t.field({ type: CallDirection }),
    phone: t.string({
      description: "Matches caller or callee. Needs the scope people:read.",
      ...needs("people:read"),
    }),
    assistantIds: t.idList(),
    kind: t.field({ type: CallKind }),
  }),
});

builder.queryField("callLogs", (t) =>
  t.field({
    type: CallLogConnection,
    description: "In the service's order. first: 1 to 100.",
    ...asks(1),
    args: {
      first: t.arg.int({ required: true, defaultValue: 10 }),
      after: t.arg.string(),
      filter: t.arg({ type: CallLogFilter }),
    },
    resolve: (_, args, context) => callLogs(args, context),
  }),
);
