import { instantOf } from "../format/instant.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import { followSettled, recordingAddress, type Recording as RecordingData } from "../resolvers/recording.ts";
import { builder, needs, ofViewer, rows, safeText } from "./builder.ts";
import { CallEndedFilter } from "./callEndedFilter.ts";
import { RecordingStatus } from "./enums.ts";
import { Node } from "./node.ts";

export const Recording = builder.objectRef<RecordingData>("Recording").implement({
  interfaces: [Node],
  // Its address is signed for one viewer, and ends no later than his credentials.
  ...needs("calls:read", ofViewer),
  fields: (t) => ({
    id: t.id({ nullable: false, resolve: ({ sessionId }) => nodeId("Recording", sessionId) }),
    status: t.expose("status", { type: RecordingStatus, nullable: false }),
    url: t.string({
      description:
        "Where the gateway serves it, with range requests: a path on the gateway's address. Null unless ARCHIVED. Needs the scope recordings:read.",
      ...needs("recordings:read", safeText("The gateway's own address, signed as a whole.")),
      resolve: (recording, _, context) => recordingAddress(recording, context),
    }),
    urlExpiresAt: t.field({
      type: "DateTime",
      resolve: ({ status, addressExpiresAt }) => (status === "ARCHIVED" ? instantOf(addressExpiresAt) : null),
    }),
    contentType: t.exposeString("contentType"),
    bytes: t.exposeFloat("bytes"),
    archivedAt: t.field({ type: "DateTime", resolve: ({ archivedAt }) => archivedAt }),
    failure: t.exposeString("failure", { description: "Why it is still waiting, or lost." }),
  }),
});

builder.subscriptionField("recordingSettled", (t) =>
  t.field({
    type: Recording,
    nullable: false,
    description: "A recording that was archived or lost, as it happens.",
    ...rows(1),
    args: { filter: t.arg({ type: CallEndedFilter }) },
    subscribe: (_, { filter }, context) => followSettled(filter, context),
    resolve: (recording) => recording,
  }),
);
