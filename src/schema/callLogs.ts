// Lists of calls: Query.callLogs and Task.callLogs, with their connection and filters.
import type { Call } from "../resolvers/call.ts";
import { callsOfRows } from "../resolvers/callLog.ts";
import {
  callLogs,
  needsEvents,
  taskCallLogs,
  type CallLogConnection as CallLogConnectionData,
} from "../resolvers/callLogs.ts";
import { MAX_LIST_LENGTH } from "../resolvers/inputRules.ts";
import type { AskedWriting } from "../resolvers/callLogConnection.ts";
import { KNOWN_EVENTS, phoneRequests } from "../resolvers/phoneCalls.ts";
import { MAX_TASK_IDS } from "../upstream/upstream.ts";
import { andThen } from "../util/maybePromise.ts";
import { requests, builder, cursorText, listFilter, marks, needs, rows, SCAN_ROWS } from "./builder.ts";
import type { ListFilter } from "./extensions.ts";
import { CallLog } from "./callLog.ts";
import { EDGE_CURSOR, EDGES, NODES, SERVICE_PHONE } from "./descriptions.ts";
import { CallDirection, CallKind } from "./enums.ts";
import { PageInfo, pageArgs } from "./pageInfo.ts";
import { Task } from "./task.ts";

/** The events of the rows are read together; they are counted with the request for the page. */
const joined = rows(0);

interface Edge {
  list: CallLogConnectionData;
  /** The index of the row in the page. */
  at: number;
  node: Call;
}

const CallLogEdge = builder.objectRef<Edge>("CallLogEdge").implement({
  description: "A call and its cursor.",
  fields: (t) => ({
    cursor: t.string({
      nullable: false,
      description: EDGE_CURSOR,
      ...cursorText,
      resolve: ({ list, at }) => list.cursorAt(at),
    }),
    node: t.expose("node", { type: CallLog, nullable: false, description: "The call." }),
  }),
});

const PhoneWriting = builder.objectRef<AskedWriting>("PhoneWriting").implement({
  description: "How the service was asked for a phone number.",
  ...needs("people:read"),
  fields: (t) => ({
    text: t.exposeString("text", {
      nullable: false,
      description: "The writing, such as +447700900700 or 07700900700. Needs the scope people:read.",
      ...needs("people:read"),
    }),
    totalCount: t.exposeInt("totalCount", {
      nullable: false,
      description: "Number of calls that the service lists for it.",
    }),
  }),
});

const CallLogConnection = builder.objectRef<CallLogConnectionData>("CallLogConnection").implement({
  description: "A page of calls, in the order of the service.",
  fields: (t) => ({
    edges: t.field({
      type: [CallLogEdge],
      nullable: false,
      description: EDGES,
      ...joined,
      resolve: (list, _, context, info) =>
        andThen(callsOfRows(list.rows, needsEvents(info), context), (calls) =>
          calls.map((node, at) => ({ list, at, node })),
        ),
    }),
    nodes: t.field({
      type: [CallLog],
      nullable: false,
      description: NODES,
      ...joined,
      resolve: ({ rows }, _, context, info) => callsOfRows(rows, needsEvents(info), context),
    }),
    pageInfo: t.expose("pageInfo", { type: PageInfo, nullable: false, description: "The place of this page." }),
    totalCount: t.exposeInt("totalCount", {
      nullable: false,
      description: "Number of calls in the whole list, as the service counts them.",
    }),
    since: t.expose("since", {
      type: "DateTime",
      nullable: false,
      description: "The start of the range. The first page fixes it, and its cursors carry it to later pages.",
    }),
    until: t.expose("until", {
      type: "DateTime",
      nullable: false,
      description: "The end of the range, fixed in the same way.",
    }),
    headCursor: t.string({
      nullable: false,
      ...cursorText,
      description:
        "The newest place in the log of ended calls before this list was asked of the service. Subscribe with callEnded after the one of the first page, and no call that ends later is missed; an event may repeat a call of the list.",
      resolve: (list, _, { cursors }) => cursors.ofPlace(list.headCursor()),
    }),
    phoneWritings: t.expose("phoneWritings", {
      type: [PhoneWriting],
      description:
        "How the service was asked for the phone number of the filter: as the log knows it, and in the usual writings. The list joins what it found. Null without such a filter. Needs the scope people:read.",
      ...needs("people:read"),
    }),
    driftDetected: t.exposeBoolean("driftDetected", {
      nullable: false,
      description:
        "The service's list changed since the first page in a way that the cursor could not follow. Calls may be missing or repeated: begin again at the first page.",
    }),
  }),
});

const DIRECTION = "Calls of this direction.";
const KIND = "Real calls or debug calls.";

const CallLogFilter = builder.inputType("CallLogFilter", {
  description:
    "A call must match every given field; null matches all calls. Times are cut to whole seconds, and the service decides which of a call's times they apply to.",
  fields: (t) => ({
    taskIds: t.idList({
      description: `Calls of one of these tasks. At most ${MAX_TASK_IDS} IDs; an empty list matches nothing.`,
    }),
    since: t.field({
      type: "DateTime",
      description: "The start of the range. Default: the start of the day of until in the service's time zone.",
    }),
    until: t.field({
      type: "DateTime",
      description: "The end of the range. Default: the end of today in the service's time zone.",
    }),
    direction: t.field({ type: CallDirection, description: DIRECTION }),
    phone: t.string({ description: SERVICE_PHONE, ...needs("people:read") }),
    assistantIds: t.idList({
      description: `Calls that one of these assistants handled. At most ${MAX_LIST_LENGTH} IDs; an empty list matches nothing.`,
    }),
    kind: t.field({ type: CallKind, description: KIND }),
  }),
});

const TaskCallLogFilter = builder.inputType("TaskCallLogFilter", {
  description: "A call must match every given field; null matches all calls of the task.",
  fields: (t) => ({
    since: t.field({
      type: "DateTime",
      description:
        "The start of the range. Default: the day of the task's creation; with until, the start of until's day.",
    }),
    until: t.field({
      type: "DateTime",
      description: "The end of the range. Default: the end of today in the service's time zone.",
    }),
    direction: t.field({ type: CallDirection, description: DIRECTION }),
    phone: t.string({ description: SERVICE_PHONE, ...needs("people:read") }),
    kind: t.field({ type: CallKind, description: KIND }),
  }),
});

interface ListArgs {
  after?: string | null;
  filter?: { phone?: string | null } | null;
}

/** A page after a cursor reads the cursor's row again, which may be on another page of the service. */
const listRequests = ({ after, filter }: ListArgs): number => {
  if (filter?.phone != null) return phoneRequests(after);
  return after == null ? 1 : 2;
};
/** The events that show how the service writes a number are found by a scan. */
const listRows = rows(({ filter }: ListArgs) => (filter?.phone == null ? 0 : KNOWN_EVENTS + SCAN_ROWS));
const listCost = (ownFilter: ListFilter = {}) =>
  marks(
    requests(listRequests),
    listFilter(({ filter }: ListArgs) => ({ ...filter, ...ownFilter })),
    listRows,
  );

builder.queryField("callLogs", (t) =>
  t.field({
    type: CallLogConnection,
    description: "The calls that the service lists, in its order. Without a filter: today's.",
    ...listCost(),
    args: { ...pageArgs, filter: t.arg({ type: CallLogFilter, description: "Which calls." }) },
    resolve: (_, args, context) => callLogs(args, context),
  }),
);

builder.objectField(Task, "callLogs", (t) =>
  t.field({
    type: CallLogConnection,
    description: "The calls of this task. The range defaults to the whole life of the task.",
    ...listCost({ taskIds: ["the task's"] }),
    args: { ...pageArgs, filter: t.arg({ type: TaskCallLogFilter, description: "Which of its calls." }) },
    resolve: (task, args, context) => taskCallLogs(task, args, context),
  }),
);
