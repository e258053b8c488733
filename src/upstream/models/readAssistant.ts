// Reads the assistant inside a task (service.md, section 2.3). `websocketToken` is a secret: it does not enter, and an address
// that contains the token is hidden.
import { isObject, readExactId, readText } from "../../format/fieldParsers.ts";
import type { FieldReader } from "../../format/fieldReader.ts";
import type { AssistantRecord } from "../upstream.ts";

const HIDDEN_URL = "<hidden>";

/** The fields of the service's object that are read later. Undefined: the key is missing, or the id is unreadable. */
export type PickedAssistant = NonNullable<ReturnType<typeof pickAssistantFields>>;

export function readAssistant(value: PickedAssistant, reader: FieldReader): AssistantRecord {
  return {
    assistantId: value.id as string,
    versionId: value.versionId as string,
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

/**
 * A copy of the fields that `readAssistant` reads, with an address without secrets. A task may stay in memory for a while before
 * its assistant is read, and secrets must not stay with it. Null stays null; undefined where the value is not an object.
 */
export function pickAssistantFields(value: unknown) {
  if (value === null) return null;
  if (!isObject(value)) return undefined;
  const { id, versionId, projectId, name, scene, speakerId, websocketUrl, listenerId, welcome, prompt } = value;
  const { collect, knowledge, createdAt, updatedAt, creator, deletedAt, usageCount, creatorId } = value;
  return {
    id: readExactId(id),
    versionId: readExactId(versionId),
    projectId,
    name,
    scene,
    speakerId,
    websocketUrl: hideSecrets(websocketUrl, value["websocketToken"]),
    listenerId,
    welcome,
    prompt,
    collect: Array.isArray(collect) ? collect.map(pickQuestion) : collect,
    knowledge,
    createdAt,
    updatedAt,
    creator: pickCreator(creator),
    deletedAt,
    // The service's spelling.
    idOldVersion: value["idOldVersion"],
    usageCount,
    creatorId,
  };
}

function pickQuestion(item: unknown) {
  return isObject(item) ? { question: item["question"], answers: item["answers"] } : item === null ? null : undefined;
}

/** False where the value is not an object. */
function pickCreator(creator: unknown) {
  if (creator === undefined || creator === null) return creator;
  return isObject(creator) && { email: creator["email"] };
}

/** An address of lower-case words, which URL.parse would not change but for its end. */
const PLAIN_URL = /^wss?:\/\/(?:[a-z\d-]+\.)*[a-z][a-z-]*(?:\/[\w-]+)*$/;

/** The address without credentials, query and fragment; HIDDEN_URL where it holds the secret or is no URL. */
function hideSecrets(address: unknown, secret: unknown): unknown {
  if (address === undefined || address === null || address === "") return address;
  if (typeof address !== "string") return HIDDEN_URL;
  const shown = PLAIN_URL.test(address) ? address : publicUrlOf(address);
  return shown === null || containsSecret(shown, secret) ? HIDDEN_URL : shown;
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

function readEmail(creator: PickedAssistant["creator"], reader: FieldReader): string | null {
  if (creator === null) return null;
  if (!creator || creator.email === undefined) return reader.markUnread("creatorEmail", creator, "secret");
  return reader.text("creatorEmail", creator.email);
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
