// One row of the call log (service.md, section 2.1). Whatever is odd costs only its own field; what is no object is no row.
import { readExactId } from "../../format/fieldParsers.ts";
import type { FieldReader } from "../../format/fieldReader.ts";
import { contractError } from "../judgeResponse.ts";
import type { AssistantRef, CallLogRecord } from "../upstream.ts";

/** Throws UPSTREAM_CONTRACT, naming the row by `index`, where it is no object: a row less would be a lie. */
export function readCallLog(value: unknown, index: number, reader: FieldReader): CallLogRecord {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw contractError(`Row ${index} of the service's call log is no object.`);
  const row = value as Readonly<Record<string, unknown>>;
  return Object.freeze({
    sessionId: reader.text("sessionId", row["sessionId"]),
    taskId: reader.id("taskId", row["taskId"]),
    startAt: reader.time("startAt", row["startAt"]),
    answerAt: reader.time("answerAt", row["answerAt"]),
    endAt: reader.time("endAt", row["endAt"]),
    callee: reader.text("callee", row["callee"]),
    caller: reader.text("caller", row["caller"]),
    direction: reader.oneOf("direction", row["direction"], ["inbound", "outbound"]),
    duration: reader.number("duration", row["duration"]),
    billsec: reader.number("billsec", row["billsec"]),
    recordFile: reader.text("recordFile", row["recordFile"]),
    assistants: Object.freeze(reader.list("assistants", row["assistant"], readVersion)),
    unread: Object.freeze(reader.takeUnread()),
  });
}

function readVersion(item: unknown): AssistantRef | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { id, vid } = item as Readonly<Record<string, unknown>>;
  const [assistantId, versionId] = [readExactId(id), readExactId(vid)];
  return assistantId === undefined || versionId === undefined ? undefined : Object.freeze({ assistantId, versionId });
}
