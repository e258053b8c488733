import { assistant, assistantOf } from "../resolvers/assistant.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import { intOf } from "../resolvers/tasks.ts";
import type { AssistantRecord, AssistantRef } from "../upstream/upstream.ts";
import { builder, needs, rows } from "./builder.ts";
import { Node } from "./node.ts";

const CollectItem = builder.objectRef<AssistantRecord["collect"][number]>("CollectItem").implement({
  description: "A question that the assistant asks in a call.",
  fields: (t) => ({
    question: t.exposeString("question", { description: "The text of the question. Null where the service has none." }),
    answers: t.exposeStringList("answers", { nullable: false, description: "The answers it may get." }),
  }),
});

export const Assistant = builder.objectRef<AssistantRecord>("Assistant").implement({
  description:
    "One version of an assistant, as a task of that version showed it. Its websocketToken is a secret and is not in this graph. A field is null where the service does not state it.",
  interfaces: [Node],
  ...needs("calls:read"),
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: "The graph's own id. Each version of an assistant has its own.",
      resolve: ({ assistantId, versionId }) => nodeId("Assistant", assistantId, versionId),
    }),
    assistantId: t.exposeID("assistantId", {
      nullable: false,
      description: "The service's ID of the assistant, the same for all of its versions.",
    }),
    versionId: t.exposeID("versionId", { nullable: false, description: "The service's ID of this version." }),
    name: t.exposeString("name", { description: "The name of the assistant." }),
    projectId: t.exposeID("projectId", { description: "The service's ID of its project." }),
    scene: t.exposeString("scene", { description: "The scene it was made for." }),
    speakerId: t.exposeID("speakerId", { description: "The service's ID of its voice." }),
    listenerId: t.exposeID("listenerId", { description: "The service's ID of its listener." }),
    websocketUrl: t.exposeString("websocketUrl", {
      description: "The address of its WebSocket, without credentials, query and fragment.",
    }),
    welcome: t.exposeString("welcome", { description: "The opening line." }),
    prompt: t.exposeString("prompt", {
      description: "The system prompt. Needs the scope assistants:prompts.",
      ...needs("assistants:prompts"),
    }),
    knowledge: t.exposeString("knowledge", {
      description: "The knowledge that it answers from. Needs the scope assistants:prompts.",
      ...needs("assistants:prompts"),
    }),
    collect: t.expose("collect", {
      type: [CollectItem],
      nullable: false,
      description: "The questions that it asks in a call.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When this version was created." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When this version was last changed." }),
    creatorId: t.exposeID("creatorId", { description: "The service's ID of the person who created it." }),
    creatorEmail: t.exposeString("creatorEmail", {
      description: "The e-mail address of the person who created it. Needs the scope people:read.",
      ...needs("people:read"),
    }),
    deletedAt: t.expose("deletedAt", { type: "DateTime", description: "When it was deleted. Null while it exists." }),
    isOldVersion: t.exposeBoolean("isOldVersion", { description: "Whether the service calls it an old version." }),
    usageCount: t.int({
      description: "How often it was used, as the service counts.",
      resolve: ({ usageCount }) => intOf("usageCount", usageCount),
    }),
  }),
});

export const CallAssistant = builder.objectRef<AssistantRef>("CallAssistant").implement({
  description: "The version of an assistant that handled a call.",
  ...needs("calls:read"),
  fields: (t) => ({
    assistantId: t.exposeID("assistantId", { nullable: false, description: "The service's ID of the assistant." }),
    versionId: t.exposeID("versionId", { nullable: false, description: "The service's ID of its version." }),
    assistant: t.field({
      type: Assistant,
      description:
        "The details of this version. Null where the gateway saw no task that uses it: the service has no endpoint for assistants.",
      ...rows(1),
      resolve: (version, _, context) => assistantOf(version, context),
    }),
  }),
});

builder.queryField("assistant", (t) =>
  t.field({
    type: Assistant,
    description: "A version of an assistant. Null where the gateway saw no task that uses it.",
    ...rows(1),
    args: {
      assistantId: t.arg.id({ required: true, description: "The service's ID of the assistant." }),
      versionId: t.arg.id({ description: "The service's ID of the version. Default: the version seen last." }),
    },
    resolve: (_, args, context) => assistant(args, context),
  }),
);
