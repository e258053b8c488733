// Calls as the lines of a file. CSV is for spreadsheets (csvCell.ts); JSON lines hold the values as they are.
import { BYTE_ORDER_MARK, csvCell } from "../../../data/csvCell.ts";
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

export const EXPORT_ROWS: Record<ExportKind, ExportRows> = {
  csv: {
    type: "text/csv",
    head: `${BYTE_ORDER_MARK}${Object.keys(CELLS).join()}\r\n`,
    line: (call) =>
      `${Object.values(CELLS)
        .map((of) => csvCell(of(call)))
        .join()}\r\n`,
  },
  jsonl: { type: "application/x-ndjson", head: "", line: (call) => `${JSON.stringify(call)}\n` },
};
