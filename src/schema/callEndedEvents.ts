// The roots that read the log: pages, one call, and the live stream.
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import {
  callEndedEvents,
  callEndedOf,
  followCallEnded,
  followStream,
  type CallEndedConnection as CallEndedConnectionData,
} from "../resolvers/callEnded.ts";
import type { Edge } from "../resolvers/pageInfo.ts";
import { builder, cursorText, filteredPage, rows, tellsLog } from "./builder.ts";
import { CallEnded } from "./callEnded.ts";
import { CallEndedFilter } from "./callEndedFilter.ts";
import { CallStreamItem } from "./callStreamItem.ts";
import { EventOrder } from "./enums.ts";
import { PageInfo } from "./pageInfo.ts";

const CallEndedEdge = builder.objectRef<Edge<CallEndedEvent>>("CallEndedEdge").implement({
  fields: (t) => ({
    cursor: t.exposeString("cursor", { nullable: false, ...cursorText }),
    node: t.expose("node", { type: CallEnded, nullable: false }),
  }),
});

const CallEndedConnection = builder.objectRef<CallEndedConnectionData>("CallEndedConnection").implement({
  fields: (t) => ({
    edges: t.expose("edges", { type: [CallEndedEdge], nullable: false }),
    nodes: t.field({ type: [CallEnded], nullable: false, resolve: ({ edges }) => edges.map(({ node }) => node) }),
    pageInfo: t.expose("pageInfo", { type: PageInfo, nullable: false }),
    headCursor: t.exposeString("headCursor", {
      nullable: false,
      ...cursorText,
      description:
        "The log's newest place when this was read, on an empty page too: subscribe after it and nothing is missed.",
    }),
  }),
});

builder.queryFields((t) => ({
  callEndedEvents: t.field({
    type: CallEndedConnection,
    description:
      "The log of call-ended events, each call once, or with all its revisions. first: 1 to 100. Once is at the first revision that matches. A page ends before a damaged entry; the error of the next one has the cursor behind it in its extensions.",
    ...filteredPage,
    args: {
      first: t.arg.int({ required: true, defaultValue: 10 }),
      after: t.arg.string(),
      filter: t.arg({ type: CallEndedFilter }),
      order: t.arg({ type: EventOrder, required: true, defaultValue: "oldestFirst" }),
      revisions: t.arg.boolean({ required: true, defaultValue: false }),
    },
    resolve: (_, args, context) => callEndedEvents(args, context),
  }),
  callEnded: t.field({
    type: CallEnded,
    description: "The newest event of a call.",
    ...rows(1),
    args: { sessionId: t.arg.id({ required: true }) },
    resolve: (_, { sessionId }, context) => callEndedOf(sessionId, context),
  }),
}));

const followArgs = builder.args((t) => ({
  filter: t.field({ type: CallEndedFilter }),
  after: t.string(),
  revisions: t.boolean({ required: true, defaultValue: false }),
}));

builder.subscriptionFields((t) => ({
  callEnded: t.field({
    type: CallEnded,
    nullable: false,
    description:
      "Every call that ends, once (revisions: true also gives what was learned later). Without after: from now on. With after, a cursor seen before: first what was missed, in order, then live, without a gap. A reader too slow to keep up loses nothing: it is served from the log. Where entries are no longer kept, or one is damaged, it ends with CURSOR_EXPIRED, and extensions.cursor is where to go on.",
    ...tellsLog("events"),
    args: followArgs,
    subscribe: (_, args, context) => followCallEnded(args, context),
    resolve: (event) => event,
  }),
  callEndedStream: t.field({
    type: CallStreamItem,
    nullable: false,
    description:
      "The same, as a stream that says when it stands and where something is missing: for clients that resume by themselves.",
    ...tellsLog("items"),
    args: followArgs,
    subscribe: (_, args, context) => followStream(args, context),
    resolve: (item) => (item.kind === "event" ? item.event : item),
  }),
}));
