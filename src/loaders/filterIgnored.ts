// Tells when the service ignored a filter, as it would a parameter that it spells in another way: its rows then contradict
// the query, and are other people's calls. What a row does not show (its kind, by which rule `phone` matched) proves nothing.
import { CodedError } from "../errors.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../upstream/upstream.ts";

/**
 * The service does not say by which time it filters, and a wall clock that is set back is read an hour or two too early; a
 * row may also be written some time after its call.
 */
const DOUBT_MS = 3 * 3_600_000;

type Contradicts = (row: CallLogRecord, query: CallLogQuery) => boolean;

/** By the filter's name in the graph. What a row leaves out contradicts nothing. */
const contradictions: Readonly<Record<string, Contradicts>> = {
  // Inbound calls belong to no task (service.md, section 6, rule 1).
  taskIds: ({ taskId, direction }, { taskIds }) =>
    taskIds.length > 0 && (taskId === null ? direction === "inbound" : !taskIds.includes(taskId)),
  direction: (row, { direction }) => direction !== null && row.direction !== null && row.direction !== direction,
  assistantIds: ({ assistants }, { assistantIds }) =>
    assistantIds.length > 0 &&
    assistants.length > 0 &&
    !assistants.some(({ assistantId }) => assistantIds.includes(assistantId)),
  // A call that was over before the range began has none of its times in it. One that begins after the range proves
  // nothing: it may have been planned within.
  since: ({ endAt }, { since }) => endAt !== null && Date.parse(endAt) + DOUBT_MS < Date.parse(since),
};

/** The page itself. Throws UPSTREAM_FILTER_IGNORED, naming the filter, where a row contradicts the query. */
export function checkFilter(query: CallLogQuery, page: CallLogPage): CallLogPage {
  for (const [name, contradicts] of Object.entries(contradictions)) {
    if (!page.rows.some((row) => contradicts(row, query))) continue;
    throw new CodedError(
      "UPSTREAM_FILTER_IGNORED",
      `The service answered with calls that the filter ${name} leaves out.`,
    );
  }
  return page;
}
