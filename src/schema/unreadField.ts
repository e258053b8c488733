import type { Viewer } from "../auth/scopes.ts";
import type { UnreadField as UnreadFieldData } from "../dialect/unread.ts";
import { proseFor } from "../resolvers/maskPhone.ts";
import { builder } from "./builder.ts";

/** Most that cannot be read are times, whose digits a number's rule would hide: a date, its clock, and the clock's zone. */
const TIME =
  /^\s*\d{4}([-/.])\d{1,2}\1\d{1,2}(?:[T\s]\d{1,2}:\d{1,2}(?::\d{1,2}(?:[.,]\d{1,9})?)?(?:\s?(?:Z|[+-]\d\d:?\d\d))?)?(?!\S)/i;

/** What stands behind a time may be a number all the same. */
function textFor(viewer: Viewer, text: string): string {
  const time = TIME.exec(text)?.[0] ?? "";
  return time + (proseFor(viewer, text.slice(time.length)) ?? "");
}

export const UnreadField = builder.objectRef<UnreadFieldData>("UnreadField").implement({
  description:
    "A field that came, but could not be read: an unknown status, a time in no known form. Never a phone number or a secret.",
  fields: (t) => ({
    field: t.exposeString("field", { nullable: false, description: "Its name in this graph, such as startAt." }),
    text: t.string({
      nullable: false,
      resolve: ({ text }, _, { viewer }) => textFor(viewer, text),
    }),
  }),
});
