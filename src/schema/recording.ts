import { instantOf } from "../format/instant.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import { followSettled, recordingAddress, type Recording as RecordingData } from "../resolvers/recording.ts";
import { builder, needs, ofViewer, rows, safeText } from "./builder.ts";
import { CallEndedFilter } from "./callEndedFilter.ts";
import { RecordingStatus } from "./enums.ts";
import { Node } from "./node.ts";

export const Recording = builder.objectRef<RecordingData>("Recording").implement({
  description: "The recording of a call, which the gateway downloads before the service's URL expires.",
  interfaces: [Node],
  // Its URL is signed for one viewer and expires with the viewer's credentials.
  ...needs("calls:read", ofViewer),
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: "The graph's own id.",
      resolve: ({ sessionId }) => nodeId("Recording", sessionId),
    }),
    sessionId: t.exposeID("sessionId", { nullable: false, description: "The service's ID of the call." }),
    status: t.expose("status", { type: RecordingStatus, nullable: false, description: "How far the download is." }),
    url: t.string({
      description:
        "The path on the gateway that serves the sound, with range requests. It is valid for this viewer until urlExpiresAt. Null unless ARCHIVED. Needs the scope recordings:read.",
      ...needs("recordings:read", safeText("The gateway's own address, signed as a whole.")),
      resolve: (recording, _, context) => recordingAddress(recording, context),
    }),
    urlExpiresAt: t.field({
      type: "DateTime",
      description: "When url expires: ask for a new one then. Null unless ARCHIVED.",
      resolve: ({ status, addressExpiresAt }) => (status === "ARCHIVED" ? instantOf(addressExpiresAt) : null),
    }),
    contentType: t.exposeString("contentType", {
      description: "The media type, such as audio/wav. Null unless ARCHIVED.",
    }),
    bytes: t.exposeFloat("bytes", { description: "The size in bytes. Null unless ARCHIVED." }),
    archivedAt: t.field({
      type: "DateTime",
      description: "When it was archived. Null unless ARCHIVED.",
      resolve: ({ archivedAt }) => archivedAt,
    }),
    failure: t.exposeString("failure", {
      description: "Why it is LOST, or why the last attempt failed. Null where no attempt failed.",
    }),
  }),
});

builder.subscriptionField("recordingSettled", (t) =>
  t.field({
    type: Recording,
    nullable: false,
    description: "Each recording when it becomes ARCHIVED or LOST, from now on.",
    ...rows(1),
    args: {
      filter: t.arg({
        type: CallEndedFilter,
        description: "Recordings of calls whose newest event matches. Null: all.",
      }),
    },
    subscribe: (_, { filter }, context) => followSettled(filter, context),
    resolve: (recording) => recording,
  }),
);
