import { reportedAnswered, type CallEndedEvent } from "../events/callEndedEvent.ts";
import { taskOf } from "../resolvers/callLog.ts";
import { hungUpBy } from "../resolvers/callEnded.ts";
import { recordingOf } from "../resolvers/recording.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import { withoutCorrelationToken } from "../tasks/correlationToken.ts";
import { asks, builder, cursorText, needs, rows, textIs } from "./builder.ts";
import { CallAssistant } from "./callAssistant.ts";
import { CallStreamItem } from "./callStreamItem.ts";
import { CallDirection, EventSource, HangupSide, HungUpBy } from "./enums.ts";
import { Node } from "./node.ts";
import { Recording } from "./recording.ts";
import { Task } from "./task.ts";
import { UnreadField } from "./unreadField.ts";

const MASKED = "Masked without the scope people:read.";
const NOT_INBOUND = "Null for an inbound call.";

export const CallEnded = builder.objectRef<CallEndedEvent>("CallEnded").implement({
  description:
    "A call ended: one entry of the log, which never changes. Whatever the service left out or wrote oddly is null; its word is kept even when it is incomplete.",
  interfaces: [Node, CallStreamItem],
  ...needs("calls:read"),
  fields: (t) => ({
    id: t.id({
      nullable: false,
      resolve: ({ sessionId, revision }) => nodeId("CallEnded", sessionId, String(revision)),
    }),
    cursor: t.exposeString("cursor", {
      nullable: false,
      description: "Its place in the log. Give it as after to continue from here.",
      ...cursorText,
    }),
    sessionId: t.exposeID("sessionId", { nullable: false }),
    source: t.expose("source", { type: EventSource, nullable: false }),
    receivedAt: t.expose("receivedAt", { type: "DateTime", nullable: false }),
    revision: t.exposeInt("revision", {
      nullable: false,
      description:
        "1, and counted up each time the service told more of the same call: a webhook that came after its reconciled event, or a repeated one with other content. An entry shows the call as merged up to its own revision; the order of deliveries does not change what it is merged into.",
    }),
    eventName: t.exposeString("eventName"),
    direction: t.expose("direction", { type: CallDirection }),
    caller: t.exposeString("caller", { description: MASKED, ...textIs("phone") }),
    callee: t.exposeString("callee", { description: MASKED, ...textIs("phone") }),
    startAt: t.expose("startAt", { type: "DateTime" }),
    answerAt: t.expose("answerAt", { type: "DateTime" }),
    endAt: t.expose("endAt", { type: "DateTime" }),
    duration: t.exposeFloat("duration"),
    billsec: t.exposeFloat("billsec"),
    answered: t.boolean({ resolve: (call) => reportedAnswered(call) }),
    ringTime: t.exposeFloat("ringTime"),
    hangupSide: t.expose("hangupSide", { type: HangupSide }),
    hungUpBy: t.field({ type: HungUpBy, resolve: hungUpBy }),
    hangupReason: t.exposeString("hangupReason"),
    recordUrl: t.exposeString("recordUrl", {
      description: "The service's own URL. It expires: use recording. Needs the scope recordings:read.",
      ...needs("recordings:read"),
    }),
    recording: t.field({
      type: Recording,
      ...rows(1),
      resolve: ({ sessionId }, _, context) => recordingOf(sessionId, context),
    }),
    taskId: t.exposeID("taskId", { description: NOT_INBOUND }),
    taskItemId: t.exposeID("taskItemId", { description: NOT_INBOUND }),
    task: t.field({ type: Task, ...asks(1), resolve: (call, _, context) => taskOf(call, context) }),
    assistants: t.expose("assistants", { type: [CallAssistant], nullable: false }),
    extra: t.field({
      type: "JSONObject",
      resolve: ({ extra }) => withoutCorrelationToken(extra),
      description: "The variables given for this number when the task was created. Needs the scope people:read.",
      ...needs("people:read"),
    }),
    unread: t.expose("unread", {
      type: [UnreadField],
      nullable: false,
      description:
        "Usually empty. Of a time that means one of two instants, it holds the service's text beside the one shown.",
    }),
  }),
});
