// The assistant inside of a task (service.md, section 2.3). `websocketToken` is a secret: it is not named here, so it
// does not get in.
import { z } from "zod";
import { exactId, nilList, text } from "../../dialect/fields.ts";
import type { Reader } from "../../dialect/reader.ts";
import type { AssistantRecord } from "../upstream.ts";

/** Required, with any value: a missing key is a broken contract, an odd value is read as far as it goes. */
const present = z.unknown();

export const assistantSchema = z.object({
  id: exactId,
  versionId: exactId,
  projectId: present,
  name: present,
  scene: present,
  speakerId: present,
  websocketUrl: present,
  listenerId: present,
  welcome: present,
  prompt: present,
  collect: nilList(z.object({ question: text.optional(), answers: nilList(text).optional() })),
  knowledge: present,
  createdAt: present,
  updatedAt: present,
  creator: z.object({ email: present }).nullable(),
  deletedAt: present,
  // Spelt so by the service.
  idOldVersion: present,
  usageCount: present,
  creatorId: present,
});

export function readAssistant(value: z.infer<typeof assistantSchema>, reader: Reader): AssistantRecord {
  return {
    assistantId: value.id,
    versionId: value.versionId,
    name: reader.prose("name", value.name),
    projectId: reader.id("projectId", value.projectId),
    scene: reader.prose("scene", value.scene),
    speakerId: reader.id("speakerId", value.speakerId),
    listenerId: reader.id("listenerId", value.listenerId),
    websocketUrl: readPublicUrl(value.websocketUrl, reader),
    welcome: reader.prose("welcome", value.welcome),
    prompt: reader.prose("prompt", value.prompt),
    knowledge: reader.prose("knowledge", value.knowledge),
    collect: value.collect.map(({ question, answers }) => ({
      question: question ?? null,
      answers: (answers ?? []).filter((answer) => answer !== null),
    })),
    createdAt: reader.time("createdAt", value.createdAt),
    updatedAt: reader.time("updatedAt", value.updatedAt),
    creatorId: reader.id("creatorId", value.creatorId),
    creatorEmail: reader.text("creatorEmail", value.creator?.email),
    deletedAt: reader.time("deletedAt", value.deletedAt),
    isOldVersion: reader.flag("isOldVersion", value.idOldVersion),
    usageCount: reader.count("usageCount", value.usageCount),
  };
}

/** The token may stand in the address too, so only scheme, host and path are kept. What is no URL is noted unseen. */
function readPublicUrl(value: unknown, reader: Reader): string | null {
  const address = reader.text("websocketUrl", value);
  if (address === null) return null;
  const url = URL.parse(address);
  if (!url?.host) return reader.refuse("websocketUrl", value, "secret");
  return `${url.protocol}//${url.host}${url.pathname}`;
}
