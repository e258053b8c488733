// A task (service.md, section 2.3). All its keys are required, so a missing one costs the object it is missing in; what
// stands under a key may be null or odd, and then costs only that field.
import { z } from "zod";
import { compileSchema, exactId, issuePath } from "../../format/fieldParsers.ts";
import { createFieldReader, type FieldReader, type UnreadField } from "../../format/fieldReader.ts";
import { parseExactInOrder } from "../../format/exactJson.ts";
import { contractError } from "../judgeResponse.ts";
import { freezeDeep } from "../freeze.ts";
import { taskStatuses, type TaskRecord } from "../upstream.ts";
import { assistantSchema, pickAssistantFields, readAssistant, readAssistantRef } from "./readAssistant.ts";
import { pickOptionFields, readTaskOption, taskOptionSchema } from "./readTaskOption.ts";

/** Required, with any value. */
const keys = [
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

const readId = compileSchema(z.object({ id: exactId }));
const readOptionShape = compileSchema(taskOptionSchema);
const readAssistantShape = compileSchema(assistantSchema);

/** The JSON of a task as `readTask` expects it: the columns of the number file keep the service's order. */
export function parseTask(text: string): unknown {
  return parseExactInOrder(text, "numberFileMeta");
}

/**
 * Throws UPSTREAM_CONTRACT, naming the field, where a key is missing or the task is another one than `taskId`. Fields of
 * the two parts are in `unread` with their part's name before them: `option.retryCount`.
 */
export function readTask(value: unknown, taskId: string, zone: string): TaskRecord {
  const parsed = readId(value);
  const task = value as Readonly<Record<(typeof keys)[number], unknown>>;
  const place = parsed.success ? missingKey(task) : issuePath(parsed.error);
  if (place !== undefined) {
    throw contractError(`The service's task ${place ? `has no readable ${place}` : "is no object"}.`);
  }
  if (parsed.data?.id !== taskId)
    throw contractError("The service answered with another task than was asked for: see id.");

  const reader = createFieldReader(zone);
  const option = partLater("option", readOptionShape, pickOptionFields(task.option), zone, readTaskOption);
  const assistant = partLater(
    "assistant",
    readAssistantShape,
    pickAssistantFields(task.assistant),
    zone,
    readAssistant,
  );
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

/** By itself: what a closure in `readTask` named would live as long as those that it returns. */
function missingKey(task: object): string | undefined {
  return keys.find((key) => !Object.hasOwn(task, key));
}

interface Part<Record> {
  /** Null, or the record, or the error that is thrown where the part is asked for. */
  record: Record | Error | null;
  unread: readonly UnreadField[];
}

function partLater<Shape, Record>(
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
    const place = [name, issuePath(parsed.error)].filter(Boolean).join(".");
    return { record: contractError(`The service's task has no readable ${place}.`), unread: [] };
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
