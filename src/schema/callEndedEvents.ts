// The root fields that read the event log: pages of events, the event of a call, and the live streams.
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import {
  callEndedEvents,
  callEndedOf,
  followCallEnded,
  followStream,
  type CallEndedConnection as CallEndedConnectionData,
} from "../resolvers/callEnded.ts";
import type { Edge } from "../resolvers/pageInfo.ts";
import { builder, cursorText, filteredPage, rows, logContent } from "./builder.ts";
import { CallEnded } from "./callEnded.ts";
import { CallEndedFilter } from "./callEndedFilter.ts";
import { CallStreamItem } from "./callStreamItem.ts";
import { EDGE_CURSOR, EDGES, FIRST, NODES } from "./descriptions.ts";
import { EventOrder } from "./enums.ts";
import { PageInfo } from "./pageInfo.ts";

const CallEndedEdge = builder.objectRef<Edge<CallEndedEvent>>("CallEndedEdge").implement({
  description: "An event and its cursor.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", { nullable: false, description: EDGE_CURSOR, ...cursorText }),
    node: t.expose("node", { type: CallEnded, nullable: false, description: "The event." }),
  }),
});

const CallEndedConnection = builder.objectRef<CallEndedConnectionData>("CallEndedConnection").implement({
  description: "A page of events.",
  fields: (t) => ({
    edges: t.expose("edges", { type: [CallEndedEdge], nullable: false, description: EDGES }),
    nodes: t.field({
      type: [CallEnded],
      nullable: false,
      description: NODES,
      resolve: ({ edges }) => edges.map(({ node }) => node),
    }),
    pageInfo: t.expose("pageInfo", { type: PageInfo, nullable: false, description: "The place of this page." }),
    headCursor: t.exposeString("headCursor", {
      nullable: false,
      ...cursorText,
      description:
        "The newest place in the log when the page was read, also of an empty page. Subscribe after it, and no event is missed or repeated.",
    }),
  }),
});

const REVISIONS =
  "False: each call once, by its first revision that matches the filter. True: every revision that matches.";

builder.queryFields((t) => ({
  callEndedEvents: t.field({
    type: CallEndedConnection,
    description:
      "The log of call-ended events. A page ends before a damaged entry; the error of the next page has a cursor in its extensions, with which to go on after the entry.",
    ...filteredPage,
    args: {
      first: t.arg.int({ required: true, defaultValue: 10, description: FIRST }),
      after: t.arg.string({
        description: "The cursor of any event. Null: the list begins at the end of the log that order names first.",
      }),
      filter: t.arg({ type: CallEndedFilter, description: "Which events. Null: all." }),
      order: t.arg({
        type: EventOrder,
        required: true,
        defaultValue: "oldestFirst",
        description: "The order of the events.",
      }),
      imported: t.arg.boolean({
        required: true,
        defaultValue: true,
        description: "False: without calls that importHistory added.",
      }),
      revisions: t.arg.boolean({ required: true, defaultValue: false, description: REVISIONS }),
    },
    resolve: (_, args, context) => callEndedEvents(args, context),
  }),
  callEnded: t.field({
    type: CallEnded,
    description: "The newest event of a call. Null where none was received.",
    ...rows(1),
    args: { sessionId: t.arg.id({ required: true, description: "The service's ID of the call." }) },
    resolve: (_, { sessionId }, context) => callEndedOf(sessionId, context),
  }),
}));

const followArgs = builder.args((t) => ({
  filter: t.field({ type: CallEndedFilter, description: "Which events. Null: all." }),
  after: t.string({
    description:
      "The last cursor that the client has. Missed events come first, in order, and then new ones without a gap. Null: new events only.",
  }),
  imported: t.boolean({
    required: true,
    defaultValue: false,
    description:
      "True: with calls that importHistory added. False: without them; a later webhook of such a call comes all the same.",
  }),
  revisions: t.boolean({ required: true, defaultValue: false, description: REVISIONS }),
}));

builder.subscriptionFields((t) => ({
  callEnded: t.field({
    type: CallEnded,
    nullable: false,
    description:
      "Every call that ends. A slow reader loses nothing: it is served from the log. Where entries are no longer kept, or one is damaged, the subscription ends with CURSOR_EXPIRED, and extensions.cursor tells where to continue.",
    ...logContent("events"),
    args: followArgs,
    subscribe: (_, args, context) => followCallEnded(args, context),
    resolve: (event) => event,
  }),
  callEndedStream: t.field({
    type: CallStreamItem,
    nullable: false,
    description:
      "The events of callEnded with items that tell when the subscription is active and where events are missing. For clients that resume by themselves.",
    ...logContent("items"),
    args: followArgs,
    subscribe: (_, args, context) => followStream(args, context),
    resolve: (item) => (item.kind === "event" ? item.event : item),
  }),
}));
