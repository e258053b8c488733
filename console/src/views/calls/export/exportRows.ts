// Calls as the lines of a file. CSV is for spreadsheets (csvCell.ts); JSON lines hold the values as they are.
import { talkMs } from "../../../call/talkMs.ts";
import { BYTE_ORDER_MARK } from "../../../data/csvCell.ts";
import { csvLine, wallTimeHead, wallTimeOf, type CsvRow } from "../../../data/csvFile.ts";
import type { ExportedCallFragment } from "../../../gql/graphql.ts";

export type ExportedCall = ExportedCallFragment;
export type ExportKind = "csv" | "jsonl";

export interface ExportRows {
  type: string;
  head: string;
  line: (call: ExportedCall, names: ExportNames) => string;
}

/** Null where a name is not known. */
export interface ExportNames {
  task: (taskId: string) => string | null;
  assistant: (assistantId: string) => string | null;
}

type Value = CsvRow[number];

/** In the order of the columns. Their names are those of the graph; what the console adds stands behind these. */
const CELLS: Record<string, (call: ExportedCall, names: ExportNames) => Value> = {
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
  taskName: ({ taskId }, names) => taskId && names.task(taskId),
  assistantNames: ({ assistants }, names) =>
    assistants.map(({ assistantId }) => names.assistant(assistantId) ?? assistantId).join(", "),
  talkSeconds: (call) => {
    const ms = talkMs(call);
    return ms === null ? null : ms / 1000;
  },
  [wallTimeHead("startAt")]: ({ startAt }) => wallTimeOf(startAt),
};

export const EXPORT_ROWS: Record<ExportKind, ExportRows> = {
  csv: {
    type: "text/csv",
    head: BYTE_ORDER_MARK + csvLine(Object.keys(CELLS)),
    line: (call, names) => csvLine(Object.values(CELLS).map((of) => of(call, names))),
  },
  jsonl: { type: "application/x-ndjson", head: "", line: (call) => `${JSON.stringify(call)}\n` },
};
