// Parses the call-ended webhook (service.md, sections 2.2 and 6). A field that cannot be read becomes null; only a body
// without a session ID is refused. Whether the event is an end is decided elsewhere (endRule.ts).
import { z } from "zod";
import { decodeStrictly } from "../format/bodyCharset.ts";
import { hasOnlyFiniteNumbers, tryParseExact } from "../format/exactJson.ts";
import { compileSchema, readExactId } from "../format/fieldParsers.ts";
import { isDeeperThan } from "../format/jsonDepth.ts";
import { createFieldReader, type FieldReader } from "../format/fieldReader.ts";
import { isSessionId, type CallEndedData } from "../events/callEndedEvent.ts";

/** Unlike zod's own record, it does not copy the object. */
const record = z.custom<Record<string, unknown>>(isRecord);
const readEnvelope = compileSchema(z.object({ event_name: z.unknown().optional(), event_data: record }));
/** 0, a boolean or a rounded number does not identify a call. */
const readSessionId = compileSchema(z.union([z.string(), z.int().positive().transform(String)]).refine(isSessionId));

/**
 * `unreadable`: the reason, without any part of the body. `fault`: our own code threw. It has the exception's class and
 * stack frames without the message, which may quote the body.
 */
export type Parsed = { call: CallEndedData; utf8: Uint8Array } | { unreadable: string; fault?: string };

/** Never throws. `charsets`: those that the body may have, the first one first (bodyCharset.ts). `utf8`: the body in UTF-8. */
export type ParseCallEnded = (body: Uint8Array, charsets?: readonly string[]) => Parsed;

/** `zone` is the IANA zone of the service's wall clock. */
export function createParseCallEnded(zone: string): ParseCallEnded {
  const reader = createFieldReader(zone);
  return (body, charsets = UTF_8) => {
    const found = jsonOf(body, charsets);
    if (found === undefined) return { unreadable: "The body is not JSON." };
    const parsed = readEnvelope(found.json);
    if (!parsed.success) return { unreadable: "The body is not an object with event_data." };
    const { event_name, event_data: data } = parsed.data;
    const session = readSessionId(data["session_id"]);
    if (!session.success) return { unreadable: "event_data has no session_id." };
    try {
      return { call: readCall(session.data, event_name, data, reader), utf8: found.utf8 };
    } catch (error) {
      // The reader is shared: notes about this delivery must not appear in the next one.
      reader.takeUnread();
      return { unreadable: "The parser failed.", fault: faultOf(error) };
    }
  };
}

function readCall(id: string, eventName: unknown, data: Record<string, unknown>, read: FieldReader): CallEndedData {
  return {
    sessionId: id,
    eventName: read.text("eventName", eventName),
    direction: read.oneOf("direction", data["direction"], ["inbound", "outbound"]),
    caller: read.text("caller", data["caller"]),
    callee: read.text("callee", data["callee"]),
    startAt: read.time("startAt", data["start_at"]),
    answerAt: read.time("answerAt", data["answer_at"]),
    endAt: read.time("endAt", data["end_at"]),
    duration: read.number("duration", data["duration"]),
    billsec: read.number("billsec", data["billsec"]),
    ringTime: read.number("ringTime", data["ring_time"]),
    hangupSide: read.oneOf("hangupSide", data["hangup_side"], ["caller", "callee"]),
    hangupReason: read.text("hangupReason", data["hangup_reason"]),
    recordUrl: read.text("recordUrl", data["record_url"]),
    taskId: read.id("taskId", data["task_id"]),
    taskItemId: read.id("taskItemId", data["task_item_id"]),
    assistants: readAssistants(data["assistant_infos"], read),
    extra: readExtra(data["extra"], read),
    unread: read.takeUnread(),
  };
}

/** The class and the innermost stack frames of an exception. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? "").split("\n").filter((line) => line.startsWith("    at "));
  return [error.constructor.name, ...frames.slice(0, MAX_FRAMES)].join("\n");
}

const MAX_FRAMES = 5;

function readAssistants(value: unknown, read: FieldReader): CallEndedData["assistants"] {
  return read.list("assistants", value ?? null, (item) => {
    const info = isRecord(item) ? item : {};
    const [assistantId, versionId] = [readExactId(info["assistant_id"]), readExactId(info["assistant_vid"])];
    return assistantId === undefined || versionId === undefined ? undefined : { assistantId, versionId };
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readExtra(value: unknown, read: FieldReader): CallEndedData["extra"] {
  if (value === null || value === undefined || value === "") return null;
  // Variables may hold personal data, so the note has no text of them, not even a masked one.
  if (!isRecord(value) || isDeeperThan(MAX_EXTRA_DEPTH, value)) return read.markUnread("extra", value, "secret");
  // A number that is too large for JSON is noted and shown as null; the other variables are kept.
  if (!hasOnlyFiniteNumbers(value)) read.markUnread("extra", value, "secret");
  return value;
}

/** Levels of nesting. Deeper values would overflow the stack when they are written as JSON again. */
const MAX_EXTRA_DEPTH = 64;

const UTF_8 = ["utf-8"];

/** In the first charset that gives JSON. Undefined: none does. */
function jsonOf(body: Uint8Array, charsets: readonly string[]): { json: unknown; utf8: Uint8Array } | undefined {
  for (const charset of charsets) {
    const text = decodeStrictly(body, charset);
    const json = text === undefined ? undefined : tryParseExact(text);
    if (json !== undefined) return { json, utf8: charset === "utf-8" ? body : Buffer.from(text as string) };
  }
  return undefined;
}
