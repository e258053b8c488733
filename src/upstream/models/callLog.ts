// One row of the call log (service.md, section 2.1). Only `assistant`, its ids and versions are required; whatever else
// is odd costs only its own field.
import { z } from "zod";
import { compiled, exactId, faultPath, nilList } from "../../dialect/fields.ts";
import type { Reader } from "../../dialect/reader.ts";
import { brokenContract } from "../answer.ts";
import type { CallLogRecord } from "../upstream.ts";

/** What is required; all else is the reader's, which asks less of a processor than zod for fields that may be anything. */
const readRow = compiled(
  z.object({
    assistant: nilList(
      z
        .object({ id: exactId, vid: exactId })
        .transform(({ id, vid }) => Object.freeze({ assistantId: id, versionId: vid })),
    ),
  }),
);

/** Throws UPSTREAM_CONTRACT, naming the row by `index` and the field, where a required field is missing or unreadable. */
export function readCallLog(value: unknown, index: number, reader: Reader): CallLogRecord {
  const parsed = readRow(value);
  if (!parsed.success) {
    const place = faultPath(parsed.error);
    throw brokenContract(
      `Row ${index} of the service's call log ${place ? `has no readable ${place}` : "is no object"}.`,
    );
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
    assistants: Object.freeze(parsed.data.assistant),
    unread: Object.freeze(reader.takeUnread()),
  });
}
