// Reads a task (service.md, section 2.3) into a frozen record. All its keys are required: a missing key makes the object that
// lacks it unreadable. The value of a key may be null or odd, which costs only that field.
import { parseExact, parseExactInOrder } from "../../format/exactJson.ts";
import { isObject, readExactId, readText } from "../../format/fieldParsers.ts";
import { createFieldReader, type FieldReader, type UnreadField } from "../../format/fieldReader.ts";
import { contractError } from "../serviceResponse.ts";
import { taskStatuses, type TaskOptionRecord, type TaskRecord } from "../upstream.ts";
import { pickAssistantFields, readAssistant } from "./readAssistant.ts";

const requiredKeys = [
  "createdAt",
  "updatedAt",
  "name",
  "status",
  "total",
  "progress",
  "collectionRate",
  "option",
  "summary",
  "suggestion",
  "assistantVid",
  "assistant",
] as const;

type TaskFields = Readonly<Record<"id" | (typeof requiredKeys)[number], unknown>>;

const INDEX = /^\d+$/;

/** Parses the JSON of a task for `readTask`: the columns of the number file keep the service's order. */
export function parseTask(text: string): unknown {
  const task = parseExact(text) as { option?: { numberFileMeta?: unknown } | null } | null;
  const columns = task?.option?.numberFileMeta;
  // JavaScript moves keys such as "7" to the front.
  const [first] = typeof columns === "object" && columns !== null ? Object.keys(columns) : [];
  return first !== undefined && INDEX.test(first) ? parseExactInOrder(text, "numberFileMeta") : task;
}

/**
 * Throws UPSTREAM_CONTRACT, naming the field, where a key is missing or the task is not `taskId`. In `unread`, the fields of
 * the two parts have their part's name as a prefix: `option.retryCount`.
 */
export function readTask(value: unknown, taskId: string, zone: string): TaskRecord {
  if (!isObject(value)) throw contractError("The service's task is not an object.");
  const task = value as TaskFields;
  const id = readExactId(task.id);
  const path = id === undefined ? "id" : missingKey(task);
  if (path !== undefined) throw contractError(`The service's task has no readable ${path}.`);
  if (id !== taskId) throw contractError("The service answered with another task than the one requested: see id.");

  const reader = createFieldReader(zone);
  const picked = pickAssistantFields(task.assistant);
  const option = lazyPart("option", pickOptionFields(task.option), zone, readTaskOption);
  const assistant = lazyPart("assistant", picked, zone, readAssistant);
  const own = {
    taskId,
    name: reader.prose("name", task.name),
    status: reader.oneOf("status", task.status, taskStatuses),
    total: reader.count("total", task.total),
    progress: reader.number("progress", task.progress),
    collectionRate: reader.number("collectionRate", task.collectionRate),
    summary: reader.prose("summary", task.summary),
    suggestion: reader.prose("suggestion", task.suggestion),
    createdAt: reader.time("createdAt", task.createdAt),
    updatedAt: reader.time("updatedAt", task.updatedAt),
    assistantVersionId: reader.id("assistantVersionId", task.assistantVid),
  };
  const unread = reader.takeUnread();
  return Object.freeze({
    ...own,
    option: () => orThrow(option().record),
    assistant: () => orThrow(assistant().record),
    assistantRef: refOf(picked?.id, picked?.versionId),
    unread: () => [...unread, ...option().unread, ...assistant().unread],
  });
}

/** A function of its own, because a closure in `readTask` would keep the whole task in memory. */
function missingKey(task: TaskFields): string | undefined {
  return requiredKeys.find((key) => task[key] === undefined);
}

function refOf(assistantId: string | undefined, versionId: string | undefined): TaskRecord["assistantRef"] {
  return assistantId === undefined || versionId === undefined ? null : { assistantId, versionId };
}

interface Part<Record> {
  /** Null, the record, or the error to throw when the part is read. */
  record: Record | Error | null;
  unread: readonly UnreadField[];
}

/**
 * Reads a part of a task on its first use, because most queries need neither part. Then it drops the fields. They are null where
 * the task has no such part, and undefined where it is not an object; a field is undefined where it is missing.
 */
function lazyPart<Fields extends object, Record>(
  name: "option" | "assistant",
  fields: Fields | null | undefined,
  zone: string,
  read: (fields: Fields, reader: FieldReader) => Record,
): () => Part<Record> {
  let picked = fields;
  const readNow = (): Part<Record> => {
    if (picked === null) return { record: null, unread: [] };
    if (picked === undefined) return unreadablePart(name);
    for (const key in picked) if (picked[key] === undefined) return unreadablePart(`${name}.${key}`);
    const reader = createFieldReader(zone, `${name}.`);
    return freezeDeep({ record: read(picked, reader), unread: reader.takeUnread() });
  };
  let part: Part<Record> | undefined;
  return () => {
    part ??= readNow();
    picked = undefined;
    return part;
  };
}

function unreadablePart(path: string): Part<never> {
  return { record: contractError(`The service's task has no readable ${path}.`), unread: [] };
}

function orThrow<T>(part: T | Error): T {
  if (part instanceof Error) throw part;
  return part;
}

/** Freezes a record with all that is in it, because several callers share it. An Error stays as it is. */
function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null || value instanceof Error) return value;
  if (Array.isArray(value)) for (const item of value) freezeDeep(item);
  else for (const key in value) freezeDeep(value[key]);
  return Object.freeze(value);
}

function pickOptionFields(value: unknown) {
  if (value === null) return null;
  if (!isObject(value)) return undefined;
  const { numberFileMeta, numbers, startDate, startTime, retryCount, retryInterval } = value;
  return { numberFileMeta, numbers, startDate, startTime, retryCount, retryInterval };
}

/** The service's `numbers` are outgoing lines here, and not phone numbers of people: hence lineIds. */
function readTaskOption(
  value: NonNullable<ReturnType<typeof pickOptionFields>>,
  reader: FieldReader,
): TaskOptionRecord {
  return {
    numberFileMeta: readColumns(value.numberFileMeta, reader),
    lineIds: reader.list("lineIds", value.numbers, readExactId),
    startDate: reader.text("startDate", value.startDate),
    periods: reader.list("periods", value.startTime, (period, path) => readPeriod(period, path, reader)),
    retryCount: reader.count("retryCount", value.retryCount),
    retryInterval: reader.count("retryInterval", value.retryInterval),
  };
}

/**
 * `value` comes from parseTask: an object, or its entries as pairs, in the service's order. The set of keys is open, because the
 * document names other keys where a task is created.
 */
function readColumns(value: unknown, reader: FieldReader): TaskOptionRecord["numberFileMeta"] {
  const entries = isObject(value) ? Object.entries(value) : value;
  const pairs = reader.list("numberFileMeta", entries, (pair) =>
    Array.isArray(pair) && pair.length === 2 && typeof pair[0] === "string" ? (pair as [string, unknown]) : undefined,
  );
  return pairs.flatMap(([key, column]) => {
    const read = reader.count("numberFileMeta", column);
    return read === null ? [] : [{ key, value: read }];
  });
}

/** Undefined for a value that is not a list; the list around it then notes its path as unread. */
function readPeriod(period: unknown, path: string, reader: FieldReader): string[] | undefined {
  if (period !== null && !Array.isArray(period)) return undefined;
  return reader.list(path, period, readText).filter((time) => time !== null);
}
