// Reads a task (service.md, section 2.3) into a frozen record. All its keys are required: a missing key makes the object that
// lacks it unreadable. The value of a key may be null or odd, which costs only that field.
import { z } from "zod";
import { parseExactInOrder } from "../../format/exactJson.ts";
import { compileSchema, exactId, issuePath, readExactId, readText } from "../../format/fieldParsers.ts";
import { createFieldReader, type FieldReader, type UnreadField } from "../../format/fieldReader.ts";
import { contractError } from "../serviceResponse.ts";
import { taskStatuses, type TaskOptionRecord, type TaskRecord } from "../upstream.ts";
import {
  assistantSchema,
  pickAssistantFields,
  pickFields,
  readAssistant,
  readAssistantRef,
  requiredKey,
} from "./readAssistant.ts";

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

const taskOptionSchema = z.object({
  numberFileMeta: requiredKey,
  numbers: requiredKey,
  startDate: requiredKey,
  startTime: requiredKey,
  retryCount: requiredKey,
  retryInterval: requiredKey,
});

const OPTION_FIELDS = Object.keys(taskOptionSchema.shape);

const readId = compileSchema(z.object({ id: exactId }));
const readOptionShape = compileSchema(taskOptionSchema);
const readAssistantShape = compileSchema(assistantSchema);

/** Parses the JSON of a task for `readTask`: the columns of the number file keep the service's order. */
export function parseTask(text: string): unknown {
  return parseExactInOrder(text, "numberFileMeta");
}

/**
 * Throws UPSTREAM_CONTRACT, naming the field, where a key is missing or the task is not `taskId`. In `unread`, the fields of
 * the two parts have their part's name as a prefix: `option.retryCount`.
 */
export function readTask(value: unknown, taskId: string, zone: string): TaskRecord {
  const parsed = readId(value);
  const task = value as Readonly<Record<(typeof requiredKeys)[number], unknown>>;
  const path = parsed.success ? missingKey(task) : issuePath(parsed.error);
  if (path !== undefined) {
    throw contractError(`The service's task ${path ? `has no readable ${path}` : "is not an object"}.`);
  }
  if (parsed.data?.id !== taskId) {
    throw contractError("The service answered with another task than the one requested: see id.");
  }

  const reader = createFieldReader(zone);
  const option = lazyPart("option", readOptionShape, pickFields(OPTION_FIELDS, task.option), zone, readTaskOption);
  const assistant = lazyPart("assistant", readAssistantShape, pickAssistantFields(task.assistant), zone, readAssistant);
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
    assistantRef: readAssistantRef(task.assistant),
    unread: () => [...unread, ...option().unread, ...assistant().unread],
  });
}

/** A function of its own, because a closure in `readTask` would keep the whole task in memory. */
function missingKey(task: object): string | undefined {
  return requiredKeys.find((key) => !Object.hasOwn(task, key));
}

interface Part<Record> {
  /** Null, the record, or the error to throw when the part is read. */
  record: Record | Error | null;
  unread: readonly UnreadField[];
}

/** Reads a part of a task on its first use, because most queries need neither part. Then it drops the raw value. */
function lazyPart<Shape, Record>(
  name: "option" | "assistant",
  readShape: (value: unknown) => z.ZodSafeParseResult<Shape>,
  value: unknown,
  zone: string,
  read: (value: Shape, reader: FieldReader) => Record,
): () => Part<Record> {
  const readNow = (): Part<Record> => {
    if (value === null) return { record: null, unread: [] };
    const parsed = readShape(value);
    const reader = createFieldReader(zone, `${name}.`);
    if (parsed.success) return freezeDeep({ record: read(parsed.data, reader), unread: reader.takeUnread() });
    const path = [name, issuePath(parsed.error)].filter(Boolean).join(".");
    return { record: contractError(`The service's task has no readable ${path}.`), unread: [] };
  };
  let part: Part<Record> | undefined;
  return () => {
    part ??= readNow();
    value = undefined;
    return part;
  };
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

/** The service's `numbers` are outgoing lines here, and not phone numbers of people: hence lineIds. */
function readTaskOption(value: z.infer<typeof taskOptionSchema>, reader: FieldReader): TaskOptionRecord {
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
 * `value` comes from parseExactInOrder: the object's entries as pairs, in the service's order. The set of keys is open,
 * because the document names other keys where a task is created.
 */
function readColumns(value: unknown, reader: FieldReader): TaskOptionRecord["numberFileMeta"] {
  const pairs = reader.list("numberFileMeta", value, (pair) =>
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
