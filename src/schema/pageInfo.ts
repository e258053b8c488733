import type { PageInfo as PageInfoData } from "../resolvers/pageInfo.ts";
import { builder, cursorText } from "./builder.ts";
import { FIRST } from "./descriptions.ts";

export const PageInfo = builder.objectRef<PageInfoData>("PageInfo").implement({
  description: "The place of a page in its list.",
  fields: (t) => ({
    hasNextPage: t.exposeBoolean("hasNextPage", {
      nullable: false,
      description: "Whether entries follow this page.",
    }),
    hasPreviousPage: t.exposeBoolean("hasPreviousPage", {
      nullable: false,
      description: "Whether entries precede this page.",
    }),
    startCursor: t.string({
      description: "The cursor of the first entry. Null on an empty page.",
      ...cursorText,
      resolve: (page) => page.startCursor(),
    }),
    endCursor: t.string({
      description: "The cursor of the last entry: pass it as after to get the next page. Null on an empty page.",
      ...cursorText,
      resolve: (page) => page.endCursor(),
    }),
  }),
});

/** The arguments of a list whose cursors are valid with the same arguments only. */
export const pageArgs = builder.args((t) => ({
  first: t.int({ required: true, defaultValue: 10, description: FIRST }),
  after: t.string({
    description: "A cursor of the same list with the same other arguments. Null: the list begins at its first entry.",
  }),
}));
