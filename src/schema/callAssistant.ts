import type { AssistantRef } from "../upstream/upstream.ts";
import { builder, needs } from "./builder.ts";

export const CallAssistant = builder.objectRef<AssistantRef>("CallAssistant").implement({
  description: "The assistant that handled a call, and which of its versions: a reference, not an entity.",
  ...needs("calls:read"),
  fields: (t) => ({
    assistantId: t.exposeID("assistantId", { nullable: false }),
    versionId: t.exposeID("versionId", { nullable: false }),
  }),
});
