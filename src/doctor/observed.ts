// Answers of the service as the doctor sees them: how things are written is kept, who was called is not.
import { createHash } from "node:crypto";
import { z } from "zod";
import { tryParseExact } from "../format/exactJson.ts";
import { seeTime, type SeenTime } from "./timeForm.ts";

export const timeFields = ["startAt", "answerAt", "endAt"] as const;
export type TimeField = (typeof timeFields)[number];

export interface SeenRow {
  /** Tells rows apart: the session id, or a digest of the row where it has none. */
  key: string;
  sessionId: string | null;
  times: Record<TimeField, SeenTime>;
  direction: string | null;
  /** Null for none, and for 0. */
  taskId: string | null;
  assistantIds: string[];
  versionIds: string[];
}

export interface SeenPage {
  rows: SeenRow[];
  items: "null" | "empty" | "rows";
  total: number;
  /** As the answer tells it. */
  pageSize: number | null;
  /** Epoch ms of the answer's Date header. */
  date: number | null;
}

export interface SeenTask {
  taskId: string;
  createdAt: SeenTime;
  updatedAt: SeenTime;
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

/** Null where the text is no page of a call list. */
export function seePage(text: string, date: number | null): SeenPage | null {
  const parsed = pageSchema.safeParse(tryParseExact(text));
  if (!parsed.success) return null;
  const { items, total, pageSize } = parsed.data;
  const rows = (items ?? []).flatMap((item) => seeRow(item) ?? []);
  if (rows.length !== (items ?? []).length) return null;
  const kind = items === null ? "null" : items.length === 0 ? "empty" : "rows";
  return { rows, items: kind, total, pageSize, date };
}

/** Null where the text is no task. */
export function seeTask(text: string, taskId: string): SeenTask | null {
  const parsed = taskSchema.safeParse(tryParseExact(text));
  if (!parsed.success) return null;
  const { createdAt, updatedAt, assistant, assistantVid } = parsed.data;
  const ids = [assistant?.id, assistantVid].filter((each) => each != null);
  return { taskId, createdAt: seeTime(createdAt), updatedAt: seeTime(updatedAt), assistantIds: ids };
}

function seeRow(item: unknown): SeenRow | null {
  const parsed = rowSchema.safeParse(item);
  if (!parsed.success) return null;
  const { sessionId, taskId, direction, assistant, startAt, answerAt, endAt } = parsed.data;
  return {
    key: sessionId ?? createHash("sha256").update(JSON.stringify(item)).digest("base64url"),
    sessionId,
    taskId,
    direction,
    times: { startAt: seeTime(startAt), answerAt: seeTime(answerAt), endAt: seeTime(endAt) },
    assistantIds: assistant.map(({ id }) => id).filter((each) => each !== null),
    versionIds: assistant.map(({ vid }) => vid).filter((each) => each !== null),
  };
}
