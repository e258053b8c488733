import { assistantOf } from "../resolvers/assistant.ts";
import type { AssistantRef } from "../upstream/upstream.ts";
import { Assistant } from "./assistant.ts";
import { builder, needs, rows } from "./builder.ts";

export const CallAssistant = builder.objectRef<AssistantRef>("CallAssistant").implement({
  description: "The assistant that handled a call, and which of its versions: a reference, not an entity.",
  ...needs("calls:read"),
  fields: (t) => ({
    assistantId: t.exposeID("assistantId", { nullable: false }),
    versionId: t.exposeID("versionId", { nullable: false }),
    assistant: t.field({
      type: Assistant,
      description:
        "Its details, where a task that uses this very version was seen; the service has no endpoint for an assistant.",
      ...rows(1),
      resolve: (version, _, context) => assistantOf(version, context),
    }),
  }),
});
