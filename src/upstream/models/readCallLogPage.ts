// Reads one page of the call log (service.md, sections 2.1 and 4.1) into frozen records. A value that cannot be read costs only
// its own field. A page or a row that cannot be read is an error, because a missing row would be silently wrong.
import { z } from "zod";
import { compileSchema, issuePath, nullableList, number, readExactId } from "../../format/fieldParsers.ts";
import { createFieldReader, type FieldReader } from "../../format/fieldReader.ts";
import { contractError } from "../serviceResponse.ts";
import type { AssistantRef, CallLogPage, CallLogRecord } from "../upstream.ts";

/** The page's numbers are required: without them its rows have no place in the list. */
const wholeNumber = number.pipe(z.int().nonnegative());

const readPage = compileSchema(
  z.object({
    // Null is how Go writes an empty list.
    items: nullableList(z.unknown()),
    total: wholeNumber,
    pageIndex: wholeNumber,
    pageSize: wholeNumber,
  }),
);

/** `zone`: IANA zone of the service's wall clock. Throws UPSTREAM_CONTRACT where the page or one of its rows is unreadable. */
export function readCallLogPage(value: unknown, zone: string): CallLogPage {
  const parsed = readPage(value);
  if (!parsed.success) {
    const path = issuePath(parsed.error);
    throw contractError(`The service's call log ${path ? `has no readable ${path}` : "is not an object"}.`);
  }
  const { items, ...numbers } = parsed.data;
  if (items.length === 0 && reportsFailure(value as object)) {
    throw contractError("The service's call log has no rows and reports a failure.");
  }
  const reader = createFieldReader(zone);
  return Object.freeze({
    rows: Object.freeze(items.map((item, index) => readCallLog(item, index, reader))),
    ...numbers,
  });
}

/** Throws UPSTREAM_CONTRACT, naming the row by `index`, where it is not an object. */
export function readCallLog(value: unknown, index: number, reader: FieldReader): CallLogRecord {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw contractError(`Row ${index} of the service's call log is not an object.`);
  }
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
    assistants: Object.freeze(reader.list("assistants", row["assistant"], readAssistantVersion)),
    unread: Object.freeze(reader.takeUnread()),
  });
}

function readAssistantVersion(item: unknown): AssistantRef | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { id, vid } = item as Readonly<Record<string, unknown>>;
  const [assistantId, versionId] = [readExactId(id), readExactId(vid)];
  return assistantId === undefined || versionId === undefined ? undefined : Object.freeze({ assistantId, versionId });
}

const SUCCESS_CODES: ReadonlySet<unknown> = new Set([0, 200, "0", "200", "ok", "success"]);

/**
 * Some services answer 200 to everything and report a failure in the body. Checked for an empty page only, because the
 * service's document names none of these keys. `error` and `success` decide first, then `code`. A message counts only
 * where there is neither a code nor a page size, because a body with a page size is a page.
 */
function reportsFailure(body: object): boolean {
  const { error, success, code, msg, message, pageSize } = body as Readonly<Record<string, unknown>>;
  const hasError = typeof error === "object" && error !== null ? Object.keys(error).length > 0 : Boolean(error);
  if (hasError || success === false) return true;
  const outcome = code ?? ((pageSize === 0 && (msg || message)) || "ok");
  return !SUCCESS_CODES.has(typeof outcome === "string" ? outcome.toLowerCase() : outcome);
}
