// What came from the service and could not be read: shown, and read again.
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import type { Edge } from "../resolvers/pageInfo.ts";
import {
  bodyText,
  quarantinedDeliveries,
  reprocessQuarantined,
  type QuarantinedDeliveryConnection as Connection,
} from "../resolvers/quarantine.ts";
import type { Quarantined } from "../store/log/quarantineStore.ts";
import { builder, cursorText, needs, rows, textIs } from "./builder.ts";
import { CallEnded } from "./callEnded.ts";
import { Node } from "./node.ts";
import { PageInfo } from "./pageInfo.ts";

/** One of 64 KiB, masked, takes as long as so many rows. */
const DELIVERY_ROWS = 10;

const QuarantinedDelivery = builder.objectRef<Quarantined>("QuarantinedDelivery").implement({
  interfaces: [Node],
  ...needs("admin"),
  fields: (t) => ({
    id: t.id({ nullable: false, resolve: ({ id }) => nodeId("QuarantinedDelivery", String(id)) }),
    receivedAt: t.expose("receivedAt", { type: "DateTime", nullable: false }),
    reason: t.exposeString("reason", { nullable: false }),
    body: t.string({
      nullable: false,
      description: "The body as it came, cut at 64 KiB; phone numbers masked without the scope people:read.",
      ...textIs("body"),
      resolve: ({ body }) => bodyText(body),
    }),
  }),
});

const QuarantinedDeliveryEdge = builder.objectRef<Edge<Quarantined>>("QuarantinedDeliveryEdge").implement({
  ...needs("admin"),
  fields: (t) => ({
    cursor: t.exposeString("cursor", { nullable: false, ...cursorText }),
    node: t.expose("node", { type: QuarantinedDelivery, nullable: false }),
  }),
});

const QuarantinedDeliveryConnection = builder.objectRef<Connection>("QuarantinedDeliveryConnection").implement({
  ...needs("admin"),
  fields: (t) => ({
    edges: t.expose("edges", { type: [QuarantinedDeliveryEdge], nullable: false }),
    nodes: t.field({
      type: [QuarantinedDelivery],
      nullable: false,
      resolve: ({ edges }) => edges.map(({ node }) => node),
    }),
    pageInfo: t.expose("pageInfo", { type: PageInfo, nullable: false }),
  }),
});

type Payload = { event: CallEndedEvent | null; reason: string | null };

const ReprocessQuarantinedPayload = builder.objectRef<Payload>("ReprocessQuarantinedPayload").implement({
  ...needs("admin"),
  fields: (t) => ({
    event: t.expose("event", {
      type: CallEnded,
      description: "Null where it still cannot be read: reason then says why.",
    }),
    reason: t.exposeString("reason"),
  }),
});

builder.queryField("quarantinedDeliveries", (t) =>
  t.field({
    type: QuarantinedDeliveryConnection,
    description:
      "Webhook deliveries that were authentic but could not be read, kept as they came, newest first. first: 1 to 100. Needs the scope admin.",
    ...needs(
      "admin",
      rows(({ first }: { first: number }) => DELIVERY_ROWS * Math.max(0, first)),
    ),
    args: { first: t.arg.int({ required: true, defaultValue: 10 }), after: t.arg.string() },
    resolve: (_, args, context) => quarantinedDeliveries(args, context),
  }),
);

builder.mutationField("reprocessQuarantined", (t) =>
  t.field({
    type: ReprocessQuarantinedPayload,
    description: "Reads a quarantined delivery again, after its cause was mended. Needs the scope admin.",
    ...needs("admin", rows(DELIVERY_ROWS)),
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => reprocessQuarantined(id, context),
  }),
);
