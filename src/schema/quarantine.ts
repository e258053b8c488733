// Webhook deliveries that could not be read: Query.quarantinedDeliveries, Mutation.reprocessQuarantined
// and Mutation.discardQuarantined.
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import type { Edge } from "../resolvers/pageInfo.ts";
import {
  bodyText,
  discardQuarantined,
  quarantinedDeliveries,
  reprocessQuarantined,
  type QuarantinedDeliveryConnection as Connection,
} from "../resolvers/quarantine.ts";
import type { Quarantined } from "../store/events/quarantineStore.ts";
import { builder, cursorText, needs, rows, textIs } from "./builder.ts";
import { CallEnded } from "./callEnded.ts";
import { EDGE_CURSOR, EDGES, NODES } from "./descriptions.ts";
import { QuarantineKind } from "./enums.ts";
import { Node } from "./node.ts";
import { PageInfo, pageArgs } from "./pageInfo.ts";

/** To mask a body of 64 KiB takes as long as to read this many rows. */
const DELIVERY_ROWS = 10;

const QuarantinedDelivery = builder.objectRef<Quarantined>("QuarantinedDelivery").implement({
  description: "A webhook delivery that was authentic, and could not be read or is not the end of a call.",
  interfaces: [Node],
  ...needs("admin"),
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: "The graph's own id: pass it to reprocessQuarantined or discardQuarantined.",
      resolve: ({ id }) => nodeId("QuarantinedDelivery", String(id)),
    }),
    receivedAt: t.expose("receivedAt", {
      type: "DateTime",
      nullable: false,
      description: "When the gateway received it.",
    }),
    kind: t.expose("kind", { type: QuarantineKind, nullable: false, description: "Why it is here, as a word." }),
    reason: t.exposeString("reason", {
      nullable: false,
      description: "Why it could not be read, or is not the end of a call.",
    }),
    charset: t.exposeString("charset", {
      description: "The charset that its sender declared, as the sender wrote it. Null: none was declared.",
    }),
    body: t.string({
      nullable: false,
      description:
        "The body as text, in the declared charset if it can be read so, cut at 64 KiB. Phone numbers are masked without the scope people:read.",
      ...textIs("body"),
      resolve: ({ body, charset }) => bodyText(body, charset),
    }),
  }),
});

const QuarantinedDeliveryEdge = builder.objectRef<Edge<Quarantined>>("QuarantinedDeliveryEdge").implement({
  description: "A delivery and its cursor.",
  ...needs("admin"),
  fields: (t) => ({
    cursor: t.exposeString("cursor", { nullable: false, description: EDGE_CURSOR, ...cursorText }),
    node: t.expose("node", { type: QuarantinedDelivery, nullable: false, description: "The delivery." }),
  }),
});

const QuarantinedDeliveryConnection = builder.objectRef<Connection>("QuarantinedDeliveryConnection").implement({
  description: "A page of deliveries.",
  ...needs("admin"),
  fields: (t) => ({
    edges: t.expose("edges", { type: [QuarantinedDeliveryEdge], nullable: false, description: EDGES }),
    nodes: t.field({
      type: [QuarantinedDelivery],
      nullable: false,
      description: NODES,
      resolve: ({ edges }) => edges.map(({ node }) => node),
    }),
    pageInfo: t.expose("pageInfo", { type: PageInfo, nullable: false, description: "The place of this page." }),
  }),
});

type Payload = { event: CallEndedEvent | null; reason: string | null };

const ReprocessQuarantinedPayload = builder.objectRef<Payload>("ReprocessQuarantinedPayload").implement({
  description: "The result of reprocessQuarantined.",
  ...needs("admin"),
  fields: (t) => ({
    event: t.expose("event", {
      type: CallEnded,
      description: "The event in the log. Null where the delivery still cannot be read: see reason.",
    }),
    reason: t.exposeString("reason", { description: "Why it still cannot be read. Null on success." }),
  }),
});

const DiscardQuarantinedPayload = builder
  .objectRef<{ delivery: Quarantined | null }>("DiscardQuarantinedPayload")
  .implement({
    description: "The result of discardQuarantined.",
    ...needs("admin"),
    fields: (t) => ({
      delivery: t.expose("delivery", {
        type: QuarantinedDelivery,
        description: "The delivery that was removed. Null where no such delivery is in quarantine.",
      }),
    }),
  });

builder.queryField("quarantinedDeliveries", (t) =>
  t.field({
    type: QuarantinedDeliveryConnection,
    description:
      "Webhook deliveries that were authentic, and could not be read or are not the end of a call, the newest first. Needs the scope admin.",
    ...needs(
      "admin",
      rows(({ first }: { first: number }) => DELIVERY_ROWS * Math.max(0, first)),
    ),
    args: {
      ...pageArgs,
      kind: t.arg({
        type: QuarantineKind,
        required: true,
        defaultValue: "UNREADABLE",
        description: "Which ones: those that could not be read, or those that are not the end of a call.",
      }),
    },
    resolve: (_, args, context) => quarantinedDeliveries(args, context),
  }),
);

builder.mutationField("reprocessQuarantined", (t) =>
  t.field({
    type: ReprocessQuarantinedPayload,
    description:
      "Reads a quarantined delivery again, such as after an upgrade. On success it moves to the event log. Needs the scope admin.",
    ...needs("admin", rows(DELIVERY_ROWS)),
    args: {
      id: t.arg.id({ required: true, description: "The id of a QuarantinedDelivery." }),
      charset: t.arg.string({
        description: "The charset of the body, such as gbk. Null: the declared one, or what its first bytes show.",
      }),
    },
    resolve: (_, args, context) => reprocessQuarantined(args, context),
  }),
);

builder.mutationField("discardQuarantined", (t) =>
  t.field({
    type: DiscardQuarantinedPayload,
    description:
      "Removes a delivery from quarantine for good, unread. Its call is lost, unless reconciliation finds it in the service's list. Needs the scope admin.",
    ...needs("admin", rows(DELIVERY_ROWS)),
    args: { id: t.arg.id({ required: true, description: "The id of a QuarantinedDelivery." }) },
    resolve: (_, { id }, context) => discardQuarantined(id, context),
  }),
);
