// Parses the service's answers for the doctor. Keeps how values are written; drops who was called.
import { createHash } from "node:crypto";
import { z } from "zod";
import { tryParseExact } from "../format/exactJson.ts";
import { epochMsOf } from "../format/instant.ts";
import { parseServiceTime, writtenTimeOf } from "../format/parseServiceTime.ts";

export const timeFields = ["startAt", "answerAt", "endAt"] as const;
export type TimeField = (typeof timeFields)[number];

export type MissingTime = "zero" | "empty" | "null" | "absent";
export type TimeForm = "wall" | "rfc3339" | "epochSeconds" | "epochMilliseconds" | MissingTime | "unknown";

export interface ObservedTime {
  form: TimeForm;
  /** Epoch ms; a wall-clock time is read as if it were UTC. Null: no time, or an unknown form. */
  ms: number | null;
  /** The offset of an RFC 3339 time, in ms. Null for other forms, and for `Z`, which some services add to any zone. */
  writtenOffset: number | null;
}

export interface ObservedRow {
  /** Identifies the row: its session id, or a digest of the row if it has none. */
  key: string;
  sessionId: string | null;
  times: Record<TimeField, ObservedTime>;
  direction: string | null;
  /** Null also for 0. */
  taskId: string | null;
  assistantIds: string[];
  versionIds: string[];
}

export interface ObservedPage {
  rows: ObservedRow[];
  items: "null" | "empty" | "rows";
  total: number;
  /** The pageSize of the answer. */
  pageSize: number | null;
  /** The answer's Date header, epoch ms. */
  date: number | null;
}

export interface ObservedTask {
  taskId: string;
  createdAt: ObservedTime;
  updatedAt: ObservedTime;
  assistantIds: string[];
}

const id = z
  .union([z.int().nonnegative().transform(String), z.string().regex(/^\d{1,40}$/)])
  .transform((text) => (text === "0" ? null : text))
  .catch(null);
const unknown = z.unknown().optional();
const assistants = z.array(z.object({ id, vid: id })).catch([]);
const rowSchema = z.object({
  sessionId: z.string().min(1).nullable().catch(null),
  taskId: id,
  startAt: unknown,
  answerAt: unknown,
  endAt: unknown,
  direction: z.enum(["inbound", "outbound"]).nullable().catch(null),
  assistant: assistants,
});
const pageSchema = z.object({
  items: z.array(z.unknown()).nullable(),
  total: z.int().nonnegative(),
  pageSize: z.int().nullable().catch(null),
});
const taskSchema = z.object({
  createdAt: unknown,
  updatedAt: unknown,
  assistantVid: id,
  assistant: z.object({ id }).nullable().catch(null),
});

/** Null if the text is not a page of the call list. */
export function observePage(text: string, date: number | null): ObservedPage | null {
  const parsed = pageSchema.safeParse(tryParseExact(text));
  if (!parsed.success) return null;
  const { items, total, pageSize } = parsed.data;
  const rows = (items ?? []).flatMap((item) => observeRow(item) ?? []);
  if (rows.length !== (items ?? []).length) return null;
  const kind = items === null ? "null" : items.length === 0 ? "empty" : "rows";
  return { rows, items: kind, total, pageSize, date };
}

/** Null if the text is not a task. */
export function observeTask(text: string, taskId: string): ObservedTask | null {
  const parsed = taskSchema.safeParse(tryParseExact(text));
  if (!parsed.success) return null;
  const { createdAt, updatedAt, assistant, assistantVid } = parsed.data;
  const ids = [assistant?.id, assistantVid].filter((each) => each != null);
  return { taskId, createdAt: observeTime(createdAt), updatedAt: observeTime(updatedAt), assistantIds: ids };
}

function observeRow(item: unknown): ObservedRow | null {
  const parsed = rowSchema.safeParse(item);
  if (!parsed.success) return null;
  const { sessionId, taskId, direction, assistant, startAt, answerAt, endAt } = parsed.data;
  return {
    key: sessionId ?? createHash("sha256").update(JSON.stringify(item)).digest("base64url"),
    sessionId,
    taskId,
    direction,
    times: { startAt: observeTime(startAt), answerAt: observeTime(answerAt), endAt: observeTime(endAt) },
    assistantIds: assistant.map(({ id }) => id).filter((each) => each !== null),
    versionIds: assistant.map(({ vid }) => vid).filter((each) => each !== null),
  };
}

/** Recognises the form in which a time is written. */
export function observeTime(value: unknown): ObservedTime {
  if (value === undefined) return none("absent");
  if (value === null) return none("null");
  if (value === "") return none("empty");
  if (typeof value !== "string" && typeof value !== "number") return none("unknown");
  const read = parseServiceTime(value, "UTC");
  if (read === null) return none("zero");
  if (read === undefined) return none("unknown");
  const { form, offsetMs } = writtenTimeOf(value);
  return { form, ms: epochMsOf(read), writtenOffset: offsetMs };
}

export const isInstant = ({ form }: ObservedTime): boolean =>
  form === "rfc3339" || form === "epochSeconds" || form === "epochMilliseconds";

const none = (form: TimeForm): ObservedTime => ({ form, ms: null, writtenOffset: null });
