// Loads pages of the call log by their whole query: a field with other arguments shares nothing, the same arguments share
// one request. An answer that contradicts its query or itself is an error. How tasks share a page is taskCallLogs.ts.
import { brokenContract } from "../upstream/answer.ts";
import type { Asker } from "../upstream/asker.ts";
import type { CallLogPage, CallLogQuery, Upstream } from "../upstream/upstream.ts";
import { checkFilter } from "./filterIgnored.ts";
import { onceByKey, type Loader } from "./onceByKey.ts";

export function createCallLogLoader(upstream: Upstream, asker?: Asker): Loader<CallLogQuery, CallLogPage> {
  const load = async (query: CallLogQuery) => checkFilter(query, checkTotal(await upstream.listCallLogs(query, asker)));
  return onceByKey(load, textOf);
}

/** The page itself, whichever of the list's it is: a total that is less than its rows says nothing of the rest either. */
function checkTotal(page: CallLogPage): CallLogPage {
  if (page.rows.length <= page.total) return page;
  throw brokenContract("The service's call log has more rows on a page than in all: see total.");
}

/** Canonical: the order of ids, and of an object's keys, makes no difference. */
function textOf(query: CallLogQuery): string {
  const { taskIds, since, until, direction, phone, assistantIds, kind, pageIndex, pageSize } = query;
  const [tasks, assistants] = [taskIds, assistantIds].map((ids) => [...new Set(ids)].toSorted());
  return JSON.stringify([tasks, since, until, direction, phone, assistants, kind, pageIndex, pageSize]);
}
