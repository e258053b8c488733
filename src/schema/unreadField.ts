import type { UnreadField as UnreadFieldData } from "../format/fieldReader.ts";
import { builder } from "./builder.ts";

export const UnreadField = builder.objectRef<UnreadFieldData>("UnreadField").implement({
  description:
    "A field that came, but could not be read: an unknown status, a time in no known form. Or one that is shown beside it, but means one of two things: a time on a wall clock in the hour that clocks repeat, of which the earlier is shown, or skip. Never a phone number or a secret.",
  fields: (t) => ({
    field: t.exposeString("field", {
      nullable: false,
      description: "Its name in this graph, such as startAt, assistants[0] or option.lineIds[2].",
    }),
    text: t.exposeString("text", { nullable: false }),
  }),
});
