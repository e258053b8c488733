import { answeredOfCall, fieldOfCall, isRow, recordFileOfCall, unreadOfCall, type Call } from "../resolvers/call.ts";
import { callLog, callLogId, SEARCH_REQUESTS, taskOf } from "../resolvers/callLog.ts";
import { recordingOfCall } from "../resolvers/recording.ts";
import { andThen } from "../util/maybePromise.ts";
import { CallAssistant } from "./assistant.ts";
import { requests, builder, marks, needs, rows, textIs } from "./builder.ts";
import { MASKED, NOT_INBOUND, UNKNOWN_UNIT, UNREAD } from "./descriptions.ts";
import { CallDirection } from "./enums.ts";
import { Node } from "./node.ts";
import { Recording } from "./recording.ts";
import { Task } from "./task.ts";
import { UnreadField } from "./unreadField.ts";

export const CallLog = builder.objectRef<Call>("CallLog").implement({
  description:
    "One call, joined from the service's list of calls and its call-ended event. Where both state a field, the event's value is shown; a field is null where neither states it.",
  interfaces: [Node],
  ...needs("calls:read"),
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: "The graph's own id. A call without a sessionId is not found again by node(id).",
      resolve: (call, _, context) => callLogId(call, context),
    }),
    sessionId: t.exposeID("sessionId", {
      description: "The service's ID of the call. Null where the service left it out.",
    }),
    taskId: t.id({
      description: `The service's ID of the task of the call. ${NOT_INBOUND}`,
      resolve: (call) => (isRow(call) ? call.taskId : fieldOfCall(call, "taskId")),
    }),
    task: t.field({
      type: Task,
      description: `The task of the call. ${NOT_INBOUND}`,
      ...requests(1),
      resolve: (call, _, context) =>
        andThen(isRow(call) ? call.taskId : fieldOfCall(call, "taskId"), (taskId) => taskOf({ taskId }, context)),
    }),
    direction: t.field({
      type: CallDirection,
      description: "Whether the call came in or went out.",
      resolve: (call) => (isRow(call) ? call.direction : fieldOfCall(call, "direction")),
    }),
    caller: t.string({
      description: `The calling number. ${MASKED}`,
      ...textIs("phone"),
      resolve: (call) => (isRow(call) ? call.caller : fieldOfCall(call, "caller")),
    }),
    callee: t.string({
      description: `The called number. ${MASKED}`,
      ...textIs("phone"),
      resolve: (call) => (isRow(call) ? call.callee : fieldOfCall(call, "callee")),
    }),
    startAt: t.field({
      type: "DateTime",
      description: "When the call started.",
      resolve: (call) => (isRow(call) ? call.startAt : fieldOfCall(call, "startAt")),
    }),
    answerAt: t.field({
      type: "DateTime",
      description: "When the call was answered. Null for a call that was not answered.",
      resolve: (call) => (isRow(call) ? call.answerAt : fieldOfCall(call, "answerAt")),
    }),
    endAt: t.field({
      type: "DateTime",
      description: "When the call ended. Null while it is in progress.",
      resolve: (call) => (isRow(call) ? call.endAt : fieldOfCall(call, "endAt")),
    }),
    duration: t.float({
      description: `Total duration. ${UNKNOWN_UNIT}`,
      resolve: (call) => (isRow(call) ? call.duration : fieldOfCall(call, "duration")),
    }),
    billsec: t.float({
      description: `Answered (billed) duration. ${UNKNOWN_UNIT}`,
      resolve: (call) => (isRow(call) ? call.billsec : fieldOfCall(call, "billsec")),
    }),
    answered: t.boolean({
      description:
        "Whether the call has an answer time or a billed duration above 0. Null where these could not be read.",
      resolve: (call) => answeredOfCall(call),
    }),
    recordFile: t.string({
      description: "The location of the recording, as the service's list states it. Needs the scope recordings:read.",
      ...needs("recordings:read"),
      resolve: (call) => recordFileOfCall(call),
    }),
    assistants: t.field({
      type: [CallAssistant],
      nullable: false,
      description: "The assistants that handled the call.",
      resolve: (call) => (isRow(call) ? call.assistants : fieldOfCall(call, "assistants")),
    }),
    recording: t.field({
      type: Recording,
      description: "The recording that the gateway archives. Null where no event gave its URL.",
      ...rows(1),
      resolve: (call, _, context) => recordingOfCall(call, context),
    }),
    unread: t.field({
      type: [UnreadField],
      nullable: false,
      description: UNREAD,
      resolve: (call) => unreadOfCall(call),
    }),
  }),
});

builder.queryField("callLog", (t) =>
  t.field({
    type: CallLog,
    description:
      "One call. The service cannot look up a session, so the gateway searches the received events and then the service's list. Null where the call is in neither.",
    ...marks(requests(SEARCH_REQUESTS), rows(1)),
    args: {
      sessionId: t.arg.id({ required: true, description: "The service's ID of the call." }),
      around: t.arg({
        type: "DateTime",
        description: "Search the service's list a day before and after this instant. Default: the last 7 days.",
      }),
    },
    resolve: (_, args, context) => callLog(args, context),
  }),
);
