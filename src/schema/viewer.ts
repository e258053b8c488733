import type { Viewer as ViewerData } from "../auth/scopes.ts";
import { builder, needs, safeText } from "./builder.ts";

const Viewer = builder.objectRef<ViewerData>("Viewer").implement({
  description: "Who is asking.",
  ...needs(null),
  fields: (t) => ({
    name: t.exposeString("name", { nullable: false, ...safeText("The viewer's own name.") }),
    scopes: t.stringList({
      nullable: false,
      ...safeText("Words of a closed list."),
      resolve: ({ scopes }) => [...scopes],
    }),
  }),
});

builder.queryFields((t) => ({
  viewer: t.field({ type: Viewer, nullable: false, ...needs(null), resolve: (_parent, _args, { viewer }) => viewer }),
  serviceTimeZone: t.string({
    nullable: false,
    description: "The zone of the service's wall clock: what today means. IANA.",
    ...needs(null, safeText("The operator's setting.")),
    resolve: (_parent, _args, { serviceTimeZone }) => serviceTimeZone,
  }),
}));
