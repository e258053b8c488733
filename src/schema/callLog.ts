// One call, joined from the service's list and its event, and lists of them.
import { tell, tellAnswered, tellRecordFile, tellUnread, type Call } from "../resolvers/call.ts";
import { callLog, callLogId, callsOfRows, SEARCH_REQUESTS, taskOf } from "../resolvers/callLog.ts";
import { callLogs, type CallLogConnection as CallLogConnectionData } from "../resolvers/callLogs.ts";
import { needsEvents } from "../resolvers/needsEvents.ts";
import { recordingOf } from "../resolvers/recording.ts";
import { andThen } from "../util/maybePromise.ts";
import { asks, builder, cursorText, marks, needs, rows, textIs } from "./builder.ts";
import { CallAssistant } from "./callAssistant.ts";
import { CallDirection, CallKind } from "./enums.ts";
import { Node } from "./node.ts";
import { PageInfo } from "./pageInfo.ts";
import { Recording } from "./recording.ts";
import { Task } from "./task.ts";
import { UnreadField } from "./unreadField.ts";

const MASKED = "Masked without the scope people:read.";

/** The newest event of a row, which all of the row's fields share: counted with the request to the service that told the row. */
const joined = rows(0);

export const CallLog = builder.objectRef<Call>("CallLog").implement({
  description:
    "One call: the service's list and the call-ended event, joined. Where both tell a thing, the event is believed.",
  interfaces: [Node],
  ...needs("calls:read"),
  fields: (t) => ({
    id: t.id({ nullable: false, resolve: (call, _, context) => callLogId(call, context) }),
    sessionId: t.exposeID("sessionId", {
      description: "The service may leave it out; such a call cannot be found by node(id).",
    }),
    taskId: t.id({ description: "Null for an inbound call.", resolve: (call) => tell(call, "taskId") }),
    task: t.field({
      type: Task,
      ...asks(1),
      resolve: (call, _, context) => andThen(tell(call, "taskId"), (taskId) => taskOf({ taskId }, context)),
    }),
    direction: t.field({ type: CallDirection, resolve: (call) => tell(call, "direction") }),
    caller: t.string({
      description: MASKED,
      ...textIs("phone"),
      resolve: (call) => tell(call, "caller"),
    }),
    callee: t.string({
      description: MASKED,
      ...textIs("phone"),
      resolve: (call) => tell(call, "callee"),
    }),
    startAt: t.field({ type: "DateTime", resolve: (call) => tell(call, "startAt") }),
    answerAt: t.field({
      type: "DateTime",
      description: "Null for a call that was not answered.",
      resolve: (call) => tell(call, "answerAt"),
    }),
    endAt: t.field({ type: "DateTime", resolve: (call) => tell(call, "endAt") }),
    duration: t.float({
      description: "Total duration, in the service's unit (undocumented).",
      resolve: (call) => tell(call, "duration"),
    }),
    billsec: t.float({
      description: "Answered (billed) duration, in the service's unit (undocumented).",
      resolve: (call) => tell(call, "billsec"),
    }),
    answered: t.boolean({
      description: "It has an answer time or a billed duration above 0.",
      resolve: (call) => tellAnswered(call),
    }),
    recordFile: t.string({
      description: "Recording location, as the service's list gives it. Needs the scope recordings:read.",
      ...needs("recordings:read"),
      resolve: (call) => tellRecordFile(call),
    }),
    assistants: t.field({ type: [CallAssistant], nullable: false, resolve: (call) => tell(call, "assistants") }),
    recording: t.field({
      type: Recording,
      description: "What the gateway archived from the event's expiring URL.",
      ...rows(1),
      resolve: ({ sessionId }, _, context) => recordingOf(sessionId, context),
    }),
    unread: t.field({
      type: [UnreadField],
      nullable: false,
      description:
        "Usually empty. Of a time that means one of two instants, it holds the service's text beside the one shown.",
      resolve: (call) => tellUnread(call),
    }),
  }),
});

interface Edge {
  list: CallLogConnectionData;
  /** The row's place among those of the list. */
  at: number;
  node: Call;
}

const CallLogEdge = builder.objectRef<Edge>("CallLogEdge").implement({
  fields: (t) => ({
    cursor: t.string({ nullable: false, ...cursorText, resolve: ({ list, at }) => list.cursorAt(at) }),
    node: t.expose("node", { type: CallLog, nullable: false }),
  }),
});

export const CallLogConnection = builder.objectRef<CallLogConnectionData>("CallLogConnection").implement({
  fields: (t) => ({
    edges: t.field({
      type: [CallLogEdge],
      nullable: false,
      ...joined,
      resolve: (list, _, context, info) =>
        andThen(callsOfRows(list.rows, needsEvents(info), context), (calls) =>
          calls.map((node, at) => ({ list, at, node })),
        ),
    }),
    nodes: t.field({
      type: [CallLog],
      nullable: false,
      ...joined,
      resolve: ({ rows }, _, context, info) => callsOfRows(rows, needsEvents(info), context),
    }),
    pageInfo: t.expose("pageInfo", { type: PageInfo, nullable: false }),
    totalCount: t.exposeInt("totalCount", { nullable: false }),
    since: t.expose("since", {
      type: "DateTime",
      nullable: false,
      description: "The range that was asked of the service: fixed by the first page, carried by its cursors.",
    }),
    until: t.expose("until", { type: "DateTime", nullable: false }),
    driftDetected: t.exposeBoolean("driftDetected", {
      nullable: false,
      description:
        "The service's list moved since the first page in a way that the cursor could not follow: rows may be missing or twice.",
    }),
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

/** The row that a cursor stands behind is read again, which may take a second page. Where the list moved it takes more. */
export const listRequests = ({ after }: { after?: string | null }): number => (after == null ? 1 : 2);

builder.queryFields((t) => ({
  callLogs: t.field({
    type: CallLogConnection,
    description: "In the service's order. first: 1 to 100.",
    ...asks(listRequests),
    args: {
      first: t.arg.int({ required: true, defaultValue: 10 }),
      after: t.arg.string(),
      filter: t.arg({ type: CallLogFilter }),
    },
    resolve: (_, args, context) => callLogs(args, context),
  }),
  callLog: t.field({
    type: CallLog,
    description:
      "One call. The service has no look-up by session: it is searched in the received events, then in the service's list around the time given (a day each way) or in the last 7 days; null where it is in neither.",
    ...marks(asks(SEARCH_REQUESTS), rows(1)),
    args: { sessionId: t.arg.id({ required: true }), around: t.arg({ type: "DateTime" }) },
    resolve: (_, args, context) => callLog(args, context),
  }),
}));
