// The calls of the list as a table. Its columns have the names of the graph; names of tasks and assistants stand beside their IDs.
import { talkMs } from "../../call/talkMs.ts";
import { wallTimeHead, wallTimeOf, type CsvRow } from "../../data/csvFile.ts";
import type { Names } from "../../data/useNames.ts";
import type { LiveCallFragment } from "../../gql/graphql.ts";

export function liveTable(calls: readonly LiveCallFragment[], names: Names): readonly [CsvRow, ...CsvRow[]] {
  const cells: Record<string, (call: LiveCallFragment) => CsvRow[number]> = {
    sessionId: ({ sessionId }) => sessionId,
    taskId: ({ taskId }) => taskId,
    taskName: ({ taskId }) => names.task(taskId),
    direction: ({ direction }) => direction,
    caller: ({ caller }) => caller,
    callee: ({ callee }) => callee,
    answerAt: ({ answerAt }) => answerAt,
    endAt: ({ endAt }) => endAt,
    answered: ({ answered }) => answered,
    talkSeconds: (call) => {
      const ms = talkMs(call);
      return ms === null ? null : ms / 1000;
    },
    hungUpBy: ({ hungUpBy }) => hungUpBy,
    hangupSide: ({ hangupSide }) => hangupSide,
    hangupReason: ({ hangupReason }) => hangupReason,
    source: ({ source }) => source,
    assistantIds: ({ assistants }) => assistants.map(({ assistantId }) => assistantId).join(" "),
    assistantNames: ({ assistants }) => assistants.map(({ assistantId }) => names.assistant(assistantId)).join(", "),
    unread: ({ unread }) => unread.map(({ field, text }) => `${field}: ${text}`).join("; "),
    [wallTimeHead("endAt")]: ({ endAt }) => wallTimeOf(endAt),
  };
  const columns = Object.entries(cells);
  return [columns.map(([name]) => name), ...calls.map((call) => columns.map(([, of]) => of(call)))];
}
