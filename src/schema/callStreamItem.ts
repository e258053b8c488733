// What callEndedStream carries: an event, or a word about the stream itself.
import type { StreamItem } from "../events/eventLog.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import { builder, cursorText } from "./builder.ts";

type Checkpoint = Extract<StreamItem, { kind: "checkpoint" }>;
type Gap = Extract<StreamItem, { kind: "gap" }>;

export const CallStreamItem = builder.interfaceRef<CallEndedEvent | Checkpoint | Gap>("CallStreamItem").implement({
  description: "What callEndedStream carries.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", {
      nullable: false,
      ...cursorText,
      description: "Where to resume from, whatever the item is.",
    }),
  }),
  resolveType: (item) => {
    if (!("kind" in item)) return "CallEnded";
    return item.kind === "checkpoint" ? "StreamCheckpoint" : "StreamGap";
  },
});

builder.objectRef<Checkpoint>("StreamCheckpoint").implement({
  description:
    "The first item, at once: the subscription stands, and every event after this cursor will follow. Sent again when nothing else was for a while.",
  interfaces: [CallStreamItem],
});

builder.objectRef<Gap>("StreamGap").implement({
  description:
    "Events after the cursor asked for are no longer kept, or one was found damaged. The stream goes on from the next that is whole. Its cursor is the place just before it.",
  interfaces: [CallStreamItem],
  fields: (t) => ({
    after: t.exposeString("after", {
      nullable: false,
      ...cursorText,
      description: "The cursor asked for, or the last place told.",
    }),
  }),
});
