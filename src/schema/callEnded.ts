import { reportedAnswered, type CallEndedEvent } from "../events/callEndedEvent.ts";
import { isRow } from "../resolvers/call.ts";
import { hungUpBy } from "../resolvers/callEnded.ts";
import { callOfEvent, EVENT_SEARCH_REQUESTS, taskOf } from "../resolvers/callLog.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import { callEndedOfRecording, recordingOfEvent } from "../resolvers/recording.ts";
import { withoutCorrelationToken } from "../tasks/correlationToken.ts";
import { CallAssistant } from "./assistant.ts";
import { requests, builder, cursorText, marks, needs, rows, textIs } from "./builder.ts";
import { CallLog } from "./callLog.ts";
import { CallStreamItem } from "./callStreamItem.ts";
import { MASKED, NOT_INBOUND, UNKNOWN_UNIT, UNREAD } from "./descriptions.ts";
import { CallDirection, EventSource, HangupSide, HungUpBy } from "./enums.ts";
import { Node } from "./node.ts";
import { Recording } from "./recording.ts";
import { Task } from "./task.ts";
import { UnreadField } from "./unreadField.ts";

export const CallEnded = builder.objectRef<CallEndedEvent>("CallEnded").implement({
  description:
    "The event that a call ended: an entry of the event log, which never changes. A field is null where the service left it out or wrote it unreadably.",
  interfaces: [Node, CallStreamItem],
  ...needs("calls:read"),
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: "The graph's own id. Each revision has its own.",
      resolve: ({ sessionId, revision }) => nodeId("CallEnded", sessionId, String(revision)),
    }),
    cursor: t.string({
      nullable: false,
      resolve: ({ cursor }, _, { cursors }) => cursors.ofEvent(cursor),
      description: "The event's place in the log: pass it as after to continue with the next one.",
      ...cursorText,
    }),
    sessionId: t.exposeID("sessionId", { nullable: false, description: "The service's ID of the call." }),
    source: t.expose("source", {
      type: EventSource,
      nullable: false,
      description: "How the gateway learned of the end of the call.",
    }),
    receivedAt: t.expose("receivedAt", {
      type: "DateTime",
      nullable: false,
      description: "When the gateway received it.",
    }),
    revision: t.exposeInt("revision", {
      nullable: false,
      description:
        "1, and one more each time the gateway learns more about the same call: a late webhook of a reconciled call, or a repeated webhook with other content. An event shows all that is known up to its revision.",
    }),
    eventName: t.exposeString("eventName", { description: "The name of the event, as the service writes it." }),
    direction: t.expose("direction", { type: CallDirection, description: "Whether the call came in or went out." }),
    caller: t.exposeString("caller", { description: `The calling number. ${MASKED}`, ...textIs("phone") }),
    callee: t.exposeString("callee", { description: `The called number. ${MASKED}`, ...textIs("phone") }),
    startAt: t.expose("startAt", { type: "DateTime", description: "When the call started." }),
    answerAt: t.expose("answerAt", {
      type: "DateTime",
      description: "When the call was answered. Null for a call that was not answered.",
    }),
    endAt: t.expose("endAt", { type: "DateTime", description: "When the call ended." }),
    duration: t.exposeFloat("duration", { description: `Total duration. ${UNKNOWN_UNIT}` }),
    billsec: t.exposeFloat("billsec", { description: `Answered (billed) duration. ${UNKNOWN_UNIT}` }),
    answered: t.boolean({
      description:
        "Whether the call has an answer time or a billed duration above 0. Null where these could not be read.",
      resolve: (call) => reportedAnswered(call),
    }),
    ringTime: t.exposeFloat("ringTime", { description: `How long it rang. ${UNKNOWN_UNIT}` }),
    hangupSide: t.expose("hangupSide", { type: HangupSide, description: "The end of the line that hung up." }),
    hungUpBy: t.field({
      type: HungUpBy,
      description: "The party that hung up. Null where direction or hangupSide is null.",
      resolve: hungUpBy,
    }),
    hangupReason: t.exposeString("hangupReason", { description: "Why the call ended, as the service writes it." }),
    recordUrl: t.exposeString("recordUrl", {
      description:
        "The service's own URL of the recording, which expires: use recording. Needs the scope recordings:read.",
      ...needs("recordings:read"),
    }),
    recording: t.field({
      type: Recording,
      description:
        "The recording that the gateway archives, PENDING from the first moment. Null where the service gave no URL.",
      ...rows(1),
      resolve: (event, _, context) => recordingOfEvent(event, context),
    }),
    taskId: t.exposeID("taskId", { description: `The service's ID of the task of the call. ${NOT_INBOUND}` }),
    taskItemId: t.exposeID("taskItemId", {
      description: `The service's ID of the number within the task. ${NOT_INBOUND}`,
    }),
    task: t.field({
      type: Task,
      description: `The task of the call. ${NOT_INBOUND}`,
      ...requests(1),
      resolve: (call, _, context) => taskOf(call, context),
    }),
    assistants: t.expose("assistants", {
      type: [CallAssistant],
      nullable: false,
      description: "The assistants that handled the call.",
    }),
    extra: t.field({
      type: "JSONObject",
      resolve: ({ extra }) => withoutCorrelationToken(extra),
      description: "The variables given for this number when the task was created. Needs the scope people:read.",
      ...needs("people:read"),
    }),
    callLog: t.field({
      type: CallLog,
      description: "The call of this event. While the service does not list it yet, it is built from the event alone.",
      // The fields of the call make the requests, and only where the event leaves something open.
      ...marks(requests(EVENT_SEARCH_REQUESTS), rows(1)),
      resolve: (event, _, context) => callOfEvent(event, context),
    }),
    unread: t.expose("unread", { type: [UnreadField], nullable: false, description: UNREAD }),
  }),
});

builder.objectField(Recording, "callEnded", (t) =>
  t.field({
    type: CallEnded,
    description: "The newest event of the call. Null where it is no longer in the log.",
    ...rows(1),
    resolve: ({ sessionId }, _, context) => callEndedOfRecording(sessionId, context),
  }),
);

builder.objectField(CallLog, "callEnded", (t) =>
  t.field({
    type: CallEnded,
    description: "The newest event of this call. Null where none was received.",
    resolve: (call) => (isRow(call) ? null : call.event()),
  }),
);
