// The call-ended event (service.md, sections 2.2 and 6), read as far as it can be: only what cannot be told apart from
// another call is refused. Neither its event_name nor its Content-Type is judged, for the document names no value.
import { z } from "zod";
import { hasOnlyFiniteNumbers, parseExact } from "../format/exactJson.ts";
import { compileSchema, readExactId } from "../format/fieldParsers.ts";
import { isDeeperThan } from "../format/jsonDepth.ts";
import { createFieldReader, type FieldReader } from "../format/fieldReader.ts";
import { isSessionId, type CallEndedData } from "../events/callEndedEvent.ts";

/** Not copied as zod's own record is: it has twenty fields, and is read once. */
const record = z.custom<Record<string, unknown>>(isRecord);
const readEnvelope = compileSchema(z.object({ event_name: z.unknown().optional(), event_data: record }));
/** What cannot tell two calls apart is none: a 0, a flag, a rounded number. */
const readSessionId = compileSchema(z.union([z.string(), z.int().positive().transform(String)]).refine(isSessionId));

export type Parsed = { call: CallEndedData } | { unreadable: string };

/** Throws nothing. Reasons hold nothing of the body. */
export type ParseCallEnded = (body: Uint8Array) => Parsed;

/** `zone` is the IANA zone of the service's wall clock. */
export function createParseCallEnded(zone: string): ParseCallEnded {
  const reader = createFieldReader(zone);
  return (body) => {
    const json = jsonOf(body);
    if (json === undefined) return { unreadable: "The body is not JSON." };
    const parsed = readEnvelope(json);
    if (!parsed.success) return { unreadable: "The body is not an object with event_data." };
    const { event_name, event_data: data } = parsed.data;
    const session = readSessionId(data["session_id"]);
    if (!session.success) return { unreadable: "event_data has no session_id." };
    try {
      return { call: readCall(session.data, event_name, data, reader) };
    } catch {
      // A fault of ours, which must cost nobody a call: it waits in quarantine until it can be read. What was noted of it
      // is not the next one's.
      reader.takeUnread();
      return { unreadable: "Reading it failed." };
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
  // Variables may hold anything of a person: not even a masked text of them is noted.
  if (!isRecord(value) || isDeeperThan(DEEPEST_EXTRA, value)) return read.markUnread("extra", value, "secret");
  // A variable whose number is too large will be shown as null; the others are worth keeping.
  if (!hasOnlyFiniteNumbers(value)) read.markUnread("extra", value, "secret");
  return value;
}

/** Nobody's variables are; whoever writes such a value out again runs out of stack, and the event would stop its readers. */
const DEEPEST_EXTRA = 64;

const utf8 = new TextDecoder("utf-8", { fatal: true });

function jsonOf(body: Uint8Array): unknown {
  try {
    return parseExact(utf8.decode(body));
  } catch {
    return undefined;
  }
}
