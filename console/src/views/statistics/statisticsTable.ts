// What Statistics shows as one table: a row for the whole range, and one for each time, task, reason and assistant.
import { wallTimeHead, wallTimeOf, type CsvRow } from "../../data/csvFile.ts";
import type { Names } from "../../data/useNames.ts";
import { endOf } from "./buckets.ts";
import type { Statistics } from "./useStatistics.ts";

interface Counted {
  calls: number;
  answered: number;
}

export function statisticsTable(
  { stats, span, size, buckets }: Statistics,
  names: Names,
): readonly [CsvRow, ...CsvRow[]] {
  const counts = ({ calls, answered }: Counted) => [calls, answered, calls === 0 ? null : answered / calls];
  const [since, until] = [wallTimeOf(span.since), wallTimeOf(span.until)];
  const row = (by: string, id: string | null, name: string | null, counted: Counted): CsvRow => [
    by,
    id,
    name,
    since,
    until,
    ...counts(counted),
  ];
  return [
    ["by", "id", "name", wallTimeHead("since"), wallTimeHead("until"), "calls", "answered", "answerRate"],
    row("all", null, null, stats),
    ...buckets.map((bucket, at) => [
      size.toLowerCase(),
      null,
      null,
      // The first and the last one are counted in part.
      at === 0 ? since : wallTimeOf(bucket.at),
      at === buckets.length - 1 ? until : wallTimeOf(endOf(size, bucket)),
      ...counts(bucket),
    ]),
    ...stats.byTask.map(({ taskId, ...counted }) => row("task", taskId, names.task(taskId), counted)),
    ...stats.byHangupReason.map(({ reason, ...counted }) => row("reason", null, reason, counted)),
    ...stats.byAssistant.map(({ assistantId, ...counted }) =>
      row("assistant", assistantId, names.assistant(assistantId), counted),
    ),
  ];
}
