// Calls as the lines of a file. CSV is for spreadsheets, which run a cell that begins like a formula: such a cell gets an
// apostrophe before it, and a phone number that begins with + too. JSON lines hold the values as they are.
import type { ExportedCallFragment } from "../../../gql/graphql.ts";

export type ExportedCall = ExportedCallFragment;
export type ExportKind = "csv" | "jsonl";

export interface ExportRows {
  type: string;
  head: string;
  line: (call: ExportedCall) => string;
}

type Value = string | number | boolean | null | undefined;

/** In the order of the columns; their names are those of the graph. */
const CELLS: Record<string, (call: ExportedCall) => Value> = {
  sessionId: ({ sessionId }) => sessionId,
  taskId: ({ taskId }) => taskId,
  taskItemId: ({ callEnded }) => callEnded?.taskItemId,
  direction: ({ direction }) => direction,
  caller: ({ caller }) => caller,
  callee: ({ callee }) => callee,
  startAt: ({ startAt }) => startAt,
  answerAt: ({ answerAt }) => answerAt,
  endAt: ({ endAt }) => endAt,
  answered: ({ answered }) => answered,
  duration: ({ duration }) => duration,
  billsec: ({ billsec }) => billsec,
  ringTime: ({ callEnded }) => callEnded?.ringTime,
  hungUpBy: ({ callEnded }) => callEnded?.hungUpBy,
  hangupSide: ({ callEnded }) => callEnded?.hangupSide,
  hangupReason: ({ callEnded }) => callEnded?.hangupReason,
  eventSource: ({ callEnded }) => callEnded?.source,
  assistantIds: ({ assistants }) => assistants.map(({ assistantId }) => assistantId).join(" "),
  assistantVersionIds: ({ assistants }) => assistants.map(({ versionId }) => versionId).join(" "),
  extra: ({ callEnded }) => (callEnded?.extra ? JSON.stringify(callEnded.extra) : null),
  unread: ({ unread }) => unread.map(({ field, text }) => `${field}: ${text}`).join("; "),
};

/** Spreadsheets take a file for UTF-8 that begins with this. */
const BYTE_ORDER_MARK = "\ufeff";
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

export const EXPORT_ROWS: Record<ExportKind, ExportRows> = {
  csv: {
    type: "text/csv",
    head: `${BYTE_ORDER_MARK}${Object.keys(CELLS).join()}\r\n`,
    line: (call) =>
      `${Object.values(CELLS)
        .map((of) => cellOf(of(call)))
        .join()}\r\n`,
  },
  jsonl: { type: "application/x-ndjson", head: "", line: (call) => `${JSON.stringify(call)}\n` },
};

export function cellOf(value: Value): string {
  if (value == null) return "";
  const text = String(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
