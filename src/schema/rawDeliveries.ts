// Accepted webhook deliveries as they came: Query.rawDelivery and Mutation.rereadDeliveries.
import type { Reread } from "../events/rereadDeliveries.ts";
import type { ShownDelivery } from "../events/showDelivery.ts";
import { withoutTokensIn } from "../tasks/correlationToken.ts";
import { builder, cursorText, needs, rows, scans, textIs } from "./builder.ts";
import { CallEnded } from "./callEnded.ts";
import { MissingBody } from "./enums.ts";

/** To mask a body of 256 KiB takes as long as to read this many rows. */
const DELIVERY_ROWS = 40;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

const RawDelivery = builder.objectRef<ShownDelivery>("RawDelivery").implement({
  description: "An entry of the log, and the webhook delivery that brought it.",
  ...needs("admin"),
  fields: (t) => ({
    event: t.expose("event", {
      type: CallEnded,
      nullable: false,
      description: "The entry. Its receivedAt is the time at which the delivery arrived.",
    }),
    body: t.string({
      description:
        "The body as it came, with the gateway's correlation token hidden. Null where it is not kept: see missing. Phone numbers are masked without the scope people:read.",
      ...textIs("body"),
      resolve: ({ body }) => (body === null ? null : withoutTokensIn(utf8.decode(body))),
    }),
    missing: t.expose("missing", { type: MissingBody, description: "Why there is no body. Null where there is one." }),
  }),
});

const RereadDeliveriesPayload = builder.objectRef<Reread>("RereadDeliveriesPayload").implement({
  description: "The result of rereadDeliveries.",
  ...needs("admin"),
  fields: (t) => ({
    read: t.exposeInt("read", { nullable: false, description: "Number of deliveries that were read." }),
    changed: t.exposeInt("changed", {
      nullable: false,
      description: "Number of revisions that were appended, because a call changed.",
    }),
    unreadable: t.exposeInt("unreadable", {
      nullable: false,
      description:
        "Number of deliveries that cannot be read now, and of damaged groups of deliveries. Their calls stay as they are.",
    }),
    cursor: t.exposeString("cursor", {
      nullable: false,
      description: "The cursor after which to go on.",
      ...cursorText,
    }),
    hasNextPage: t.boolean({
      nullable: false,
      description: "Whether later deliveries are kept.",
      resolve: ({ hasMore }) => hasMore,
    }),
  }),
});

builder.queryField("rawDelivery", (t) =>
  t.field({
    type: RawDelivery,
    description:
      "An entry of the log with the webhook delivery that brought it, as it came. The gateway keeps deliveries for RAW_DELIVERY_DAYS. Null where the entry was erased. Each body that is shown gets an entry in the audit log. Needs the scope admin.",
    ...needs("admin", rows(DELIVERY_ROWS)),
    args: { cursor: t.arg.string({ required: true, description: "The cursor of the entry." }) },
    resolve: (_, { cursor }, { rawDeliveries, queryOwner, viewer }) =>
      rawDeliveries.show(cursor, queryOwner, viewer.name),
  }),
);

builder.mutationField("rereadDeliveries", (t) =>
  t.field({
    type: RereadDeliveriesPayload,
    description:
      "Reads some accepted deliveries again, such as after an upgrade that reads them better. A call that changes gets a revision; a repeat adds nothing. Repeat it with the cursor until hasNextPage is false. Needs the scope admin.",
    ...needs("admin", scans(10)),
    args: {
      after: t.arg.string({
        description: "The cursor of any event: only later deliveries are read. Null: from the oldest that is kept.",
      }),
    },
    resolve: (_, { after }, { rawDeliveries, viewer }) => rawDeliveries.reread(after ?? null, viewer.name),
  }),
);
