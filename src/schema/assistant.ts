import { assistant } from "../resolvers/assistant.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import { intOf } from "../resolvers/tasks.ts";
import type { AssistantRecord } from "../upstream/upstream.ts";
import { builder, needs, rows } from "./builder.ts";
import { Node } from "./node.ts";

const CollectItem = builder.objectRef<AssistantRecord["collect"][number]>("CollectItem").implement({
  fields: (t) => ({
    question: t.exposeString("question"),
    answers: t.exposeStringList("answers", { nullable: false }),
  }),
});

export const Assistant = builder.objectRef<AssistantRecord>("Assistant").implement({
  description:
    "One version of an assistant, as a task shows it. Its websocketToken is a secret and is nowhere in this schema.",
  interfaces: [Node],
  ...needs("calls:read"),
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: "Made of assistantId and versionId: each version is an object of its own.",
      resolve: ({ assistantId, versionId }) => nodeId("Assistant", assistantId, versionId),
    }),
    assistantId: t.exposeID("assistantId", { nullable: false }),
    versionId: t.exposeID("versionId", { nullable: false }),
    name: t.exposeString("name"),
    projectId: t.exposeID("projectId"),
    scene: t.exposeString("scene"),
    speakerId: t.exposeID("speakerId"),
    listenerId: t.exposeID("listenerId"),
    websocketUrl: t.exposeString("websocketUrl", { description: "Without any credentials or query it may carry." }),
    welcome: t.exposeString("welcome", { description: "Opening line." }),
    prompt: t.exposeString("prompt", {
      description: "System prompt. Needs the scope assistants:prompts.",
      ...needs("assistants:prompts"),
    }),
    knowledge: t.exposeString("knowledge", {
      description: "Needs the scope assistants:prompts.",
      ...needs("assistants:prompts"),
    }),
    collect: t.expose("collect", { type: [CollectItem], nullable: false }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
    creatorId: t.exposeID("creatorId"),
    creatorEmail: t.exposeString("creatorEmail", {
      description: "Needs the scope people:read.",
      ...needs("people:read"),
    }),
    deletedAt: t.expose("deletedAt", { type: "DateTime" }),
    isOldVersion: t.exposeBoolean("isOldVersion"),
    usageCount: t.int({ resolve: ({ usageCount }) => intOf("usageCount", usageCount) }),
  }),
});

builder.queryField("assistant", (t) =>
  t.field({
    type: Assistant,
    description: "The version asked for, or the one most recently seen; null where none was.",
    ...rows(1),
    args: { assistantId: t.arg.id({ required: true }), versionId: t.arg.id() },
    resolve: (_, args, context) => assistant(args, context),
  }),
);
