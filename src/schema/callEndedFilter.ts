import { builder, needs } from "./builder.ts";
import { CallDirection, HangupSide } from "./enums.ts";

export const CallEndedFilter = builder.inputType("CallEndedFilter", {
  description:
    "A reconciled event has no hangupSide; a filtered reader is told a call at the first of its revisions that matches.",
  fields: (t) => ({
    taskIds: t.idList(),
    assistantIds: t.idList(),
    direction: t.field({ type: CallDirection }),
    hangupSide: t.field({ type: HangupSide }),
    answered: t.boolean(),
    phone: t.string({
      description: "Matches caller or callee. Needs the scope people:read.",
      ...needs("people:read"),
    }),
    since: t.field({ type: "DateTime", description: "By endAt, or receivedAt where there is none; inclusive." }),
    until: t.field({ type: "DateTime", description: "Exclusive." }),
  }),
});
