import type { PageInfo as PageInfoData } from "../resolvers/pageInfo.ts";
import { builder, cursorText } from "./builder.ts";

export const PageInfo = builder.objectRef<PageInfoData>("PageInfo").implement({
  fields: (t) => ({
    hasNextPage: t.exposeBoolean("hasNextPage", { nullable: false }),
    hasPreviousPage: t.exposeBoolean("hasPreviousPage", { nullable: false }),
    startCursor: t.string({ ...cursorText, resolve: (page) => page.startCursor() }),
    endCursor: t.string({ ...cursorText, resolve: (page) => page.endCursor() }),
  }),
});
