// Loads pages of the call log by their whole query: a field with other arguments shares nothing, the same arguments share
// one request. An answer that contradicts its query or itself is an error. How tasks share a page is taskCallLogs.ts.
import { distinct } from "../dialect/fields.ts";
import { brokenContract } from "../upstream/answer.ts";
import { createAsker } from "../upstream/asker.ts";
import type { CallLogPage, CallLogQuery, Upstream } from "../upstream/upstream.ts";
import { checkFilter } from "./filterIgnored.ts";
import { onceByKey, type Loader } from "./onceByKey.ts";

export function createCallLogLoader(
  upstream: Pick<Upstream, "listCallLogs">,
  asker = createAsker(),
): Loader<CallLogQuery, CallLogPage> {
  async function load(query: CallLogQuery): Promise<CallLogPage> {
    const page = await upstream.listCallLogs(query, asker);
    if (isCounted(page) && endsInTime(page)) return checkFilter(query, page);
    // A call may have come between the service's counting and its listing: it is counted the next time.
    const again = asker.takeSpare() ? await upstream.listCallLogs(query, { ...asker, fresh: true }) : page;
    if (isCounted(again)) return checkFilter(query, again);
    throw brokenContract("The service's call log has more rows on a page than in all: see total.");
  }
  return onceByKey(load, textOf);
}

/** Whether its rows end within its total, where the page stands at the place that it tells. */
function endsInTime({ rows, total, pageIndex, pageSize }: CallLogPage): boolean {
  return rows.length === 0 || (pageIndex - 1) * pageSize + rows.length <= total;
}

/** Whichever of the list's pages it is: a total that is less than its rows says nothing of the rest either. */
function isCounted({ rows, total }: CallLogPage): boolean {
  return rows.length <= total;
}

/** Canonical: the order of ids, and of an object's keys, makes no difference. */
function textOf(query: CallLogQuery): string {
  const { taskIds, since, until, direction, phone, assistantIds, kind, pageIndex, pageSize } = query;
  return JSON.stringify([
    distinct(taskIds),
    since,
    until,
    direction,
    phone,
    distinct(assistantIds),
    kind,
    pageIndex,
    pageSize,
  ]);
}
