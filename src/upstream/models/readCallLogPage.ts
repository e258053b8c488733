// Reads one page of the call log (service.md, sections 2.1 and 4.1) into frozen records. A value that cannot be read costs only
// its own field. A page or a row that cannot be read is an error, because a missing row would be silently wrong.
import { isObject, readExactId, readNumber } from "../../format/fieldParsers.ts";
import { createFieldReader } from "../../format/fieldReader.ts";
import { contractError } from "../serviceResponse.ts";
import type { AssistantRef, CallLogPage, CallLogRecord } from "../upstream.ts";

/** `zone`: IANA zone of the service's wall clock. Throws UPSTREAM_CONTRACT where the page or one of its rows is unreadable. */
export function readCallLogPage(value: unknown, zone: string): CallLogPage {
  if (!isObject(value)) throw contractError("The service's call log is not an object.");
  // Null is how Go writes an empty list.
  const items = value["items"] === null ? [] : value["items"];
  if (!Array.isArray(items)) throw unreadable("items");
  // The page's numbers are required: without them its rows have no place in the list.
  const total = readWholeNumber(value, "total");
  const pageIndex = readWholeNumber(value, "pageIndex");
  const pageSize = readWholeNumber(value, "pageSize");
  if (items.length === 0 && reportsFailure(value)) {
    throw contractError("The service's call log has no rows and reports a failure.");
  }
  return Object.freeze({ rows: Object.freeze(items.map(createRowReader(zone))), total, pageIndex, pageSize });
}

function readWholeNumber(page: Fields, name: string): number {
  const read = readNumber(page[name]);
  if (typeof read !== "number" || !Number.isSafeInteger(read) || read < 0) throw unreadable(name);
  return read;
}

function unreadable(name: string) {
  return contractError(`The service's call log has no readable ${name}.`);
}

/**
 * One reader for the rows of a page. It throws UPSTREAM_CONTRACT, naming the row by `index`, where a row is not an object. Records
 * have all keys in one order, so that V8 gives them one shape.
 */
export function createRowReader(zone: string): (value: unknown, index: number) => CallLogRecord {
  const reader = createFieldReader(zone);
  let latest = NO_FIELDS;
  let ofLatest: readonly AssistantRef[] = [];

  /** Most calls of a list have the same single assistant, so they share its frozen list. */
  function readAssistants(value: unknown): readonly AssistantRef[] {
    const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : null;
    const { id, vid } = isObject(only) ? only : NO_FIELDS;
    if (ofLatest.length === 1 && id === latest["id"] && vid === latest["vid"]) return ofLatest;
    const read = Object.freeze(reader.list("assistants", value, readAssistantVersion));
    if (isObject(only)) [latest, ofLatest] = [only, read];
    return read;
  }

  return (row, index) => {
    if (!isObject(row)) throw contractError(`Row ${index} of the service's call log is not an object.`);
    return Object.freeze({
      sessionId: reader.text("sessionId", row["sessionId"]),
      taskId: reader.id("taskId", row["taskId"]),
      startAt: reader.time("startAt", row["startAt"]),
      answerAt: reader.time("answerAt", row["answerAt"]),
      endAt: reader.time("endAt", row["endAt"]),
      callee: reader.text("callee", row["callee"]),
      caller: reader.text("caller", row["caller"]),
      direction: reader.oneOf("direction", row["direction"], directions),
      duration: reader.number("duration", row["duration"]),
      billsec: reader.number("billsec", row["billsec"]),
      recordFile: reader.text("recordFile", row["recordFile"]),
      assistants: readAssistants(row["assistant"]),
      unread: reader.takeUnread(),
    });
  };
}

const directions = ["inbound", "outbound"] as const;

function readAssistantVersion(item: unknown): AssistantRef | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { id, vid } = item as Fields;
  const [assistantId, versionId] = [readExactId(id), readExactId(vid)];
  return assistantId === undefined || versionId === undefined ? undefined : Object.freeze({ assistantId, versionId });
}

type Fields = Readonly<Record<string, unknown>>;
const NO_FIELDS: Fields = {};

const SUCCESS_CODES: ReadonlySet<unknown> = new Set([0, 200, "0", "200", "ok", "success"]);

/**
 * Some services answer 200 to everything and report a failure in the body. Checked for an empty page only, because the
 * service's document names none of these keys. `error` and `success` decide first, then `code`. A message counts only
 * where there is neither a code nor a page size, because a body with a page size is a page.
 */
function reportsFailure(body: Fields): boolean {
  const { error, success, code, msg, message, pageSize } = body;
  const hasError = typeof error === "object" && error !== null ? Object.keys(error).length > 0 : Boolean(error);
  if (hasError || success === false) return true;
  const outcome = code ?? ((pageSize === 0 && (msg || message)) || "ok");
  return !SUCCESS_CODES.has(typeof outcome === "string" ? outcome.toLowerCase() : outcome);
}
