import type { UnreadField as UnreadFieldData } from "../dialect/unread.ts";
import { proseFor } from "../resolvers/maskPhone.ts";
import { builder } from "./builder.ts";

/** Most that cannot be read are times, whose digits a number's rule would hide. */
const DATE = /^\s*\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)/;

export const UnreadField = builder.objectRef<UnreadFieldData>("UnreadField").implement({
  description:
    "A field that came, but could not be read: an unknown status, a time in no known form. Never a phone number or a secret.",
  fields: (t) => ({
    field: t.exposeString("field", { nullable: false, description: "Its name in this graph, such as startAt." }),
    text: t.string({
      nullable: false,
      resolve: ({ text }, _, { viewer }) => (DATE.test(text) ? text : (proseFor(viewer, text) ?? text)),
    }),
  }),
});
