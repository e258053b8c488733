// The items of the subscription callEndedStream: events, and messages about the stream itself.
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { StreamItem } from "../events/eventLog.ts";
import { builder, cursorText } from "./builder.ts";

type Checkpoint = Extract<StreamItem, { kind: "checkpoint" }>;
type Gap = Extract<StreamItem, { kind: "gap" }>;

export const CallStreamItem = builder.interfaceRef<CallEndedEvent | Checkpoint | Gap>("CallStreamItem").implement({
  description: "An item of callEndedStream. More types may be added: have a default branch.",
  fields: (t) => ({
    cursor: t.string({
      nullable: false,
      ...cursorText,
      resolve: ({ cursor }, _, { cursors }) => cursors.ofPlace(cursor),
      description: "Where to resume: pass it as after to continue with the next item.",
    }),
  }),
  resolveType: (item) => {
    if (!("kind" in item)) return "CallEnded";
    return item.kind === "checkpoint" ? "StreamCheckpoint" : "StreamGap";
  },
});

builder.objectRef<Checkpoint>("StreamCheckpoint").implement({
  description:
    "The subscription is active, and every event after this cursor will follow. It is the first item, and is repeated after a while without other items.",
  interfaces: [CallStreamItem],
});

builder.objectRef<Gap>("StreamGap").implement({
  description:
    "Events are missing here, because they are no longer kept or an entry of the log is damaged. The stream continues with the next readable event; the cursor is the place just before it.",
  interfaces: [CallStreamItem],
  fields: (t) => ({
    after: t.string({
      nullable: false,
      ...cursorText,
      resolve: ({ after }, _, { cursors }) => cursors.ofPlace(after),
      description: "The last cursor before the gap: of the previous item, or the one in the arguments.",
    }),
  }),
});
