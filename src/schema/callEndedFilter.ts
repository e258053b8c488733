import { MAX_LIST_LENGTH } from "../resolvers/inputRules.ts";
import { builder, needs } from "./builder.ts";
import { CallDirection, HangupSide } from "./enums.ts";

export const CallEndedFilter = builder.inputType("CallEndedFilter", {
  description:
    "An event must match every given field; null matches all events. Where a list or a stream has each call once, it has the first revision of the call that matches. A reconciled event has no hangupSide.",
  fields: (t) => ({
    taskIds: t.idList({
      description: `Calls of one of these tasks. At most ${MAX_LIST_LENGTH} IDs; an empty list matches nothing.`,
    }),
    assistantIds: t.idList({
      description: `Calls that one of these assistants handled. At most ${MAX_LIST_LENGTH} IDs; an empty list matches nothing.`,
    }),
    direction: t.field({ type: CallDirection, description: "Calls of this direction." }),
    hangupSide: t.field({ type: HangupSide, description: "Calls that this end hung up." }),
    hangupReasons: t.field({
      type: t.listRef("String", { required: false }),
      description: `Calls with one of these hang-up reasons, as they are written; null in the list: calls without a reason. At most ${MAX_LIST_LENGTH}; an empty list matches nothing.`,
    }),
    answered: t.boolean({
      description: "Answered or unanswered calls. A call of which this is unknown counts as unanswered.",
    }),
    phone: t.string({
      description:
        "Calls whose caller or callee is this phone number, in whatever writing, or this label of a line. Needs the scope people:read.",
      ...needs("people:read"),
    }),
    since: t.field({
      type: "DateTime",
      description: "Calls whose endAt is at or after this instant; receivedAt counts where endAt is null.",
    }),
    until: t.field({ type: "DateTime", description: "Calls before this instant, by the same time." }),
  }),
});
