// Loads pages of the call log by their whole query: a field with other arguments shares nothing, the same arguments share
// one request. An answer that contradicts its query or itself is an error. How tasks share a page is taskCallLogLoader.ts.
import { filterNames } from "../config/listConfig.ts";
import { sortedUnique } from "../format/fieldParsers.ts";
import { contractError } from "../upstream/judgeResponse.ts";
import { createRequester } from "../upstream/requester.ts";
import type { CallLogPage, CallLogQuery, Upstream } from "../upstream/upstream.ts";
import { createCheckRequests } from "./checkRequests.ts";
import { checkRowsMatch, filterIgnoredError } from "./filterIgnored.ts";
import type { ListChecks } from "./listChecks.ts";
import { onceByKey, type Loader } from "./onceByKey.ts";
import { checkSeveralTasks } from "./verifySeveralTasks.ts";

/** `isFresh`: only an answer will do that is asked for now. */
type Ask = (query: CallLogQuery, isFresh: boolean) => Promise<CallLogPage>;

export interface CallLogLoaders {
  /** One page by its query. */
  callLogs: Loader<CallLogQuery, CallLogPage>;
  /** The same, but a page of several tasks may be without the calls of some of them (verifySeveralTasks.ts). */
  unprovenCallLogs: Loader<CallLogQuery, CallLogPage>;
  /** The same, and only its rows are certain: whoever reads a range to its end judges the rest. Mostly one request. */
  callLogPages: Loader<CallLogQuery, CallLogPage>;
}

export function createCallLogLoaders(
  upstream: Pick<Upstream, "listCallLogs">,
  { range, ignores, listEnd: ends, filters: probes, severalTasks, allowance }: ListChecks,
  asker = createRequester(),
): CallLogLoaders {
  const freshAsker = { ...asker, fresh: true };
  const askCounted: Ask = (query, isFresh) => upstream.listCallLogs(query, isFresh ? freshAsker : asker);
  const check = createCheckRequests(upstream, allowance, asker);
  const checkFresh = createCheckRequests(upstream, allowance, freshAsker);
  const askAgain: Ask = (query) => checkFresh.listCallLogs(query, ends.isContradicted());
  const askToCompare: Ask = (query, isFresh) =>
    (isFresh ? checkFresh : check).listCallLogs(query, !severalTasks.isWorthCombining());

  async function readPage(query: CallLogQuery, ask: Ask, isFresh: boolean): Promise<CallLogPage> {
    const page = await ask(query, isFresh);
    if (isCounted(page) && endsInTime(page)) return page;
    // A call may have come between the service's counting and its listing: it is counted the next time.
    const again = asker.takeSpareRequest() ? await askCounted(query, true) : page;
    if (isCounted(again)) return again;
    throw contractError("The service's call log has more rows on a page than in all: see total.");
  }
  async function readChecked(query: CallLogQuery, ask: Ask, isFresh: boolean): Promise<CallLogPage> {
    const ignored = givenFilters(query).find((name) => ignores.has(name));
    if (ignored !== undefined) throw filterIgnoredError(ignored);
    // Twice, for a call may have come between two pages.
    for (const attempt of [
      { ask, isFresh, isAgain: false },
      { ask: askAgain, isFresh: true, isAgain: true },
    ]) {
      const page = checkRowsMatch(query, await readPage(query, attempt.ask, attempt.isFresh), range);
      if (await ends.isTotalWrong(check, query, page, attempt.isAgain)) continue;
      const unheeded = await probes.findIgnored(check, query, page);
      if (unheeded !== null) throw filterIgnoredError(unheeded);
      return page;
    }
    ends.contradict();
    throw contractError("The service's call log does not end where it says: see total.");
  }

  const callLogPages = onceByKey((query: CallLogQuery) => readPage(query, askCounted, false), textOf);
  const unprovenCallLogs = onceByKey((query: CallLogQuery) => readChecked(query, askCounted, false), textOf);
  /** The list itself was counted; what it is compared with was not. */
  const readForComparison = (query: CallLogQuery, isFresh: boolean) =>
    isFresh || query.taskIds.length === 1 ? readChecked(query, askToCompare, isFresh) : unprovenCallLogs.load(query);
  const callLogs = onceByKey(
    (query: CallLogQuery) =>
      query.taskIds.length > 1
        ? checkSeveralTasks(readForComparison, severalTasks, query)
        : unprovenCallLogs.load(query),
    textOf,
  );
  return { callLogs, unprovenCallLogs, callLogPages };
}

/** Those of the query's filters that a service may ignore without anybody's seeing it, by their names in the graph. */
function givenFilters({ taskIds, direction, phone, assistantIds, kind }: CallLogQuery) {
  const given = {
    taskIds: taskIds.length > 0,
    direction: direction !== null,
    phone: phone !== null,
    assistantIds: assistantIds.length > 0,
    kind: kind !== null,
  };
  return filterNames.filter((name) => given[name]);
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
    sortedUnique(taskIds),
    since,
    until,
    direction,
    phone,
    sortedUnique(assistantIds),
    kind,
    pageIndex,
    pageSize,
  ]);
}
