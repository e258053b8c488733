// Reads the assistant inside a task (service.md, section 2.3). `websocketToken` is a secret: the schema does not name it, so it
// does not enter, and an address that contains the token is hidden.
import { z } from "zod";
import { exactId, readExactId, readText } from "../../format/fieldParsers.ts";
import type { FieldReader } from "../../format/fieldReader.ts";
import type { AssistantRecord, AssistantRef } from "../upstream.ts";

/** The key must be there, with any value: a missing key breaks the contract, an odd value costs only itself. */
export const requiredKey = z.unknown();

const HIDDEN_URL = "<hidden>";

export const assistantSchema = z.object({
  id: exactId,
  versionId: exactId,
  projectId: requiredKey,
  name: requiredKey,
  scene: requiredKey,
  speakerId: requiredKey,
  websocketUrl: requiredKey,
  listenerId: requiredKey,
  welcome: requiredKey,
  prompt: requiredKey,
  collect: requiredKey,
  knowledge: requiredKey,
  createdAt: requiredKey,
  updatedAt: requiredKey,
  creator: requiredKey,
  deletedAt: requiredKey,
  // The service's spelling.
  idOldVersion: requiredKey,
  usageCount: requiredKey,
  creatorId: requiredKey,
});

const ASSISTANT_FIELDS = Object.keys(assistantSchema.shape);

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
    collect: reader.list("collect", value.collect, (item, path) => readQuestion(item, path, reader)),
    createdAt: reader.time("createdAt", value.createdAt),
    updatedAt: reader.time("updatedAt", value.updatedAt),
    creatorId: reader.id("creatorId", value.creatorId),
    creatorEmail: readEmail(value.creator, reader),
    deletedAt: reader.time("deletedAt", value.deletedAt),
    isOldVersion: reader.flag("isOldVersion", value.idOldVersion),
    usageCount: reader.count("usageCount", value.usageCount),
  };
}

/** The ids of the assistant's version; null where they cannot be read. */
export function readAssistantRef(value: unknown): AssistantRef | null {
  if (typeof value !== "object" || value === null) return null;
  const { id, versionId } = value as Readonly<Record<string, unknown>>;
  const ref = { assistantId: readExactId(id), versionId: readExactId(versionId) };
  return ref.assistantId === undefined || ref.versionId === undefined ? null : (ref as AssistantRef);
}

/**
 * A copy with the fields that the schema names, and an address without secrets. A task may stay in memory for a while before
 * its assistant is read, and secrets must not stay with it. Undefined where the value is not an object.
 */
export function pickAssistantFields(value: unknown): unknown {
  const picked = pickFields(ASSISTANT_FIELDS, value);
  if (!picked) return picked;
  const { websocketUrl: address, creator, collect } = picked;
  if (address !== undefined && address !== null && address !== "") {
    const shown = typeof address === "string" ? publicUrlOf(address) : null;
    const { websocketToken: secret } = value as Readonly<Record<string, unknown>>;
    picked["websocketUrl"] = shown === null || containsSecret(shown, secret) ? HIDDEN_URL : shown;
  }
  if (creator !== undefined) picked["creator"] = pickFields(["email"], creator);
  if (Array.isArray(collect)) picked["collect"] = collect.map((item) => pickFields(["question", "answers"], item));
  return picked;
}

/** A copy with those of `names` that are there. Null stays null; undefined for any other value that is not an object. */
export function pickFields(names: readonly string[], value: unknown): Record<string, unknown> | null | undefined {
  if (value === null) return null;
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  const picked: Record<string, unknown> = {};
  for (const name of names) if (Object.hasOwn(value, name)) picked[name] = (value as typeof picked)[name];
  return picked;
}

function readQuestion(
  item: unknown,
  path: string,
  reader: FieldReader,
): AssistantRecord["collect"][number] | undefined {
  if (!isObject(item)) return undefined;
  const { question, answers } = item;
  return {
    question: reader.prose(`${path}.question`, question),
    answers: reader.list(`${path}.answers`, answers ?? null, readText).filter((answer) => answer !== null),
  };
}

/** `creator` is undefined where the service's value was not an object. */
function readEmail(creator: unknown, reader: FieldReader): string | null {
  if (creator === null) return null;
  if (!isObject(creator) || !Object.hasOwn(creator, "email"))
    return reader.markUnread("creatorEmail", creator, "secret");
  return reader.text("creatorEmail", creator["email"]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value that is not a URL is noted as unread without its text. */
function readPublicUrl(value: unknown, reader: FieldReader): string | null {
  const address = reader.text("websocketUrl", value);
  return address && (publicUrlOf(address) ?? reader.markUnread("websocketUrl", value, "secret"));
}

/** Scheme, host and path only, because the rest of the address may hold the token. */
function publicUrlOf(address: string): string | null {
  const url = URL.parse(address);
  if (!url?.host) return null;
  // Copied, because a substring would keep the whole address in memory.
  return Buffer.from(`${url.protocol}//${url.host}${url.pathname}`).toString();
}

/** A shorter value is not taken for a secret: it may be part of an address by chance. */
const MIN_SECRET_LENGTH = 4;
const PERCENT_ENCODED = /%([\da-f]{2})/gi;
/** Characters that may be written in another way. Most addresses have none. */
const ENCODABLE = /[%\u0080-\uffff]/;

/**
 * Whether the address contains the secret in any case or spelling: percent-encoded once or twice too. A secret that is
 * neither a string nor a number is ignored.
 */
function containsSecret(address: string, secret: unknown): boolean {
  if (typeof secret !== "string" && typeof secret !== "number") return false;
  const plainSecret = decode(String(secret).trim());
  return plainSecret.length >= MIN_SECRET_LENGTH && decode(address).includes(plainSecret);
}

/** Decodes byte by byte, so an invalid encoding does not throw. */
function decode(text: string): string {
  if (!ENCODABLE.test(text)) return text.toLowerCase();
  const bytes = Buffer.from(text).toString("latin1");
  return bytes.replace(PERCENT_ENCODED, byteOf).replace(PERCENT_ENCODED, byteOf).toLowerCase();
}

function byteOf(_encoded: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}
