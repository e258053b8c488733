import type { UnreadField as UnreadFieldData } from "../dialect/unread.ts";
import { builder } from "./builder.ts";

export const UnreadField = builder.objectRef<UnreadFieldData>("UnreadField").implement({
  description:
    "A field that came, but could not be read: an unknown status, a time in no known form. Never a phone number or a secret.",
  fields: (t) => ({
    field: t.exposeString("field", { nullable: false, description: "Its name in this graph, such as startAt." }),
    text: t.exposeString("text", { nullable: false }),
  }),
});
