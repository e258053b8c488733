// A task (service.md, section 2.3). All its keys are required, so a missing one costs the object it is missing in; what
// stands under a key may be null or odd, and then costs only that field.
import { z } from "zod";
import { exactId, faultPath } from "../../dialect/fields.ts";
import { createReader, type Reader } from "../../dialect/reader.ts";
import { parseExactInOrder } from "../../dialect/exactJson.ts";
import { brokenContract } from "../answer.ts";
import { taskStatuses, type TaskRecord } from "../upstream.ts";
import { assistantSchema, readAssistant } from "./assistant.ts";
import { readTaskOption, taskOptionSchema } from "./taskOption.ts";

const present = z.unknown();

const taskSchema = z.object({
  id: exactId,
  createdAt: present,
  updatedAt: present,
  name: present,
  status: present,
  total: present,
  progress: present,
  collectionRate: present,
  option: present,
  summary: present,
  suggestion: present,
  assistantVid: present,
  assistant: present,
});

/** The JSON of a task as `readTask` expects it: the columns of the number file keep the service's order. */
export function parseTask(text: string): unknown {
  return parseExactInOrder(text, "numberFileMeta");
}

/**
 * Throws UPSTREAM_CONTRACT, naming the field, where a key is missing or the task is another one than `taskId`. Fields of
 * the two parts are in `unread` with their part's name before them: `option.retryCount`.
 */
export function readTask(value: unknown, taskId: string, zone: string): TaskRecord {
  const parsed = taskSchema.safeParse(value);
  if (!parsed.success) {
    const place = faultPath(parsed.error);
    throw brokenContract(`The service's task ${place ? `has no readable ${place}` : "is no object"}.`);
  }
  const task = parsed.data;
  if (task.id !== taskId) throw brokenContract("The service answered with another task than was asked for: see id.");

  const reader = createReader(zone);
  const option = readPart("option", taskOptionSchema, task.option, zone, readTaskOption);
  const assistant = readPart("assistant", assistantSchema, task.assistant, zone, readAssistant);
  return {
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
    option: option.record,
    assistant: assistant.record,
    unread: [...reader.takeUnread(), ...option.unread, ...assistant.unread],
  };
}

/** A part is null, or its record, or the error that is thrown where the part is asked for. */
function readPart<Shape, Part>(
  name: "option" | "assistant",
  schema: z.ZodType<Shape>,
  value: unknown,
  zone: string,
  read: (value: Shape, reader: Reader) => Part,
) {
  const reader = createReader(zone, `${name}.`);
  if (value === null) return { record: null, unread: [] };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { record: read(parsed.data, reader), unread: reader.takeUnread() };
  const place = [name, faultPath(parsed.error)].filter(Boolean).join(".");
  return { record: brokenContract(`The service's task has no readable ${place}.`), unread: [] };
}
