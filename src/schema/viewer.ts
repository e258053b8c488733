import type { Viewer as ViewerData } from "../auth/scopes.ts";
import { builder, needs, safeText } from "./builder.ts";
import { ViewerLimits } from "./viewerLimits.ts";

const Viewer = builder.objectRef<ViewerData>("Viewer").implement({
  description: "The client that sent the request, as its credentials identify it.",
  ...needs(null),
  fields: (t) => ({
    name: t.exposeString("name", {
      nullable: false,
      description: "The name of the API key, or of the subject of the token.",
      ...safeText("The viewer's own name."),
    }),
    scopes: t.stringList({
      nullable: false,
      description: "What the viewer may do, such as calls:read or tasks:create.",
      ...safeText("Words of a closed list."),
      resolve: ({ scopes }) => [...scopes],
    }),
    limits: t.field({
      type: ViewerLimits,
      description: "The limits of the key or token for new tasks. Null: it has none.",
      resolve: ({ limits }) => limits,
    }),
  }),
});

builder.queryFields((t) => ({
  viewer: t.field({
    type: Viewer,
    nullable: false,
    description: "The client that sent this request.",
    ...needs(null),
    resolve: (_parent, _args, { viewer }) => viewer,
  }),
  serviceTimeZone: t.string({
    nullable: false,
    description: "The IANA time zone of the service's clock, which decides what today is. Example: Asia/Shanghai.",
    ...needs(null, safeText("The operator's setting.")),
    resolve: (_parent, _args, { serviceTimeZone }) => serviceTimeZone,
  }),
}));
