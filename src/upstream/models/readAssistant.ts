// The assistant inside of a task (service.md, section 2.3). `websocketToken` is a secret: the schema does not name it, so it
// does not get in, and an address that holds it does not either.
import { z } from "zod";
import { exactId, readExactId, readText } from "../../format/fieldParsers.ts";
import type { FieldReader } from "../../format/fieldReader.ts";
import type { AssistantRecord, AssistantRef } from "../upstream.ts";
import { holdsSecret } from "./holdsSecret.ts";
import { pickFields } from "./onlyNamed.ts";

/** Required, with any value: a missing key is a broken contract, an odd value is read as far as it goes. */
const present = z.unknown();

const NO_URL = "<hidden>";

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
  collect: present,
  knowledge: present,
  createdAt: present,
  updatedAt: present,
  creator: present,
  deletedAt: present,
  // Spelt so by the service.
  idOldVersion: present,
  usageCount: present,
  creatorId: present,
});

export function readAssistant(value: z.infer<typeof assistantSchema>, reader: FieldReader): AssistantRecord {
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
    collect: reader.list("collect", value.collect, (item, place) => readQuestion(item, place, reader)),
    createdAt: reader.time("createdAt", value.createdAt),
    updatedAt: reader.time("updatedAt", value.updatedAt),
    creatorId: reader.id("creatorId", value.creatorId),
    creatorEmail: readEmail(value.creator, reader),
    deletedAt: reader.time("deletedAt", value.deletedAt),
    isOldVersion: reader.flag("isOldVersion", value.idOldVersion),
    usageCount: reader.count("usageCount", value.usageCount),
  };
}

function readQuestion(
  item: unknown,
  place: string,
  reader: FieldReader,
): AssistantRecord["collect"][number] | undefined {
  if (!isObject(item)) return undefined;
  const { question, answers } = item;
  return {
    question: reader.prose(`${place}.question`, question),
    answers: reader.list(`${place}.answers`, answers ?? null, readText).filter((answer) => answer !== null),
  };
}

/** Undefined is a creator that is no object, of which nothing was kept. */
function readEmail(creator: unknown, reader: FieldReader): string | null {
  if (creator === null) return null;
  if (!isObject(creator) || !Object.hasOwn(creator, "email"))
    return reader.markUnread("creatorEmail", creator, "secret");
  return reader.text("creatorEmail", creator["email"]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Which version it is, where that can be told; null for anything else. */
export function readAssistantRef(value: unknown): AssistantRef | null {
  if (typeof value !== "object" || value === null) return null;
  const { id, versionId } = value as Readonly<Record<string, unknown>>;
  const read = { assistantId: readExactId(id), versionId: readExactId(versionId) };
  return read.assistantId === undefined || read.versionId === undefined ? null : (read as AssistantRef);
}

const NAMES = Object.keys(assistantSchema.shape);

/** What the schema names of it, of its address only what may be shown; undefined for what is no assistant. */
export function pickAssistantFields(value: unknown): unknown {
  const named = pickFields(NAMES, value);
  if (!named) return named;
  const { websocketUrl: address, creator, collect } = named;
  if (address !== undefined && address !== null && address !== "") {
    const shown = typeof address === "string" ? publicUrlOf(address) : null;
    const { websocketToken: secret } = value as Readonly<Record<string, unknown>>;
    named["websocketUrl"] = shown === null || holdsSecret(shown, secret) ? NO_URL : shown;
  }
  if (creator !== undefined) named["creator"] = pickFields(["email"], creator);
  if (Array.isArray(collect)) named["collect"] = collect.map((item) => pickFields(["question", "answers"], item));
  return named;
}

/** What is no URL is noted unseen. */
function readPublicUrl(value: unknown, reader: FieldReader): string | null {
  const address = reader.text("websocketUrl", value);
  return address && (publicUrlOf(address) ?? reader.markUnread("websocketUrl", value, "secret"));
}

/** The token may stand in the address too, so only scheme, host and path are kept. */
function publicUrlOf(address: string): string | null {
  const url = URL.parse(address);
  if (!url?.host) return null;
  // A copy: a text that was cut out of another keeps the whole of it in memory.
  return Buffer.from(`${url.protocol}//${url.host}${url.pathname}`).toString();
}
