// Loads pages of the call log by their whole query, each distinct query once. A page that contradicts its query or itself is an
// error. taskCallLogLoader.ts combines the lists of several tasks.
import { filterNames, type FilterName } from "../config/variables.ts";
import { sortedUnique } from "../format/fieldParsers.ts";
import { createRequester } from "../upstream/requester.ts";
import { contractError } from "../upstream/serviceResponse.ts";
import type { CallLogPage, CallLogQuery, Upstream } from "../upstream/upstream.ts";
import { blamingService, createCheckRequests } from "./checkRequests.ts";
import { checkRowsMatch, filterIgnoredError, type RangeRules } from "./contradictingRows.ts";
import { onceByKey, type Loader } from "./keyedLoader.ts";
import { createProofs, type Proofs } from "./proofs.ts";
import { createVerifiedLists } from "./verifiedLists.ts";
import { createFilterVerifier, type FilterVerifier } from "./verifyFilter.ts";
import { createListEndVerifier, type ListEndVerifier } from "./verifyListEnd.ts";
import {
  assistantIdsMisread,
  createSeveralAssistantsVerifier,
  type SeveralAssistantsVerifier,
} from "./verifySeveralAssistants.ts";
import { checkSeveralTasks, createSeveralTasksVerifier, type SeveralTasksVerifier } from "./verifySeveralTasks.ts";

/** How the service treats lists: what is configured (the doctor finds it out), and what the process has learned. */
export interface ListChecks {
  range: RangeRules;
  /** Filters that the service ignores (UPSTREAM_IGNORES): a query with one of them is refused. */
  ignores: ReadonlySet<FilterName>;
  listEnd: ListEndVerifier;
  filters: FilterVerifier;
  severalTasks: SeveralTasksVerifier;
  severalAssistants: SeveralAssistantsVerifier;
}

export interface ListChecksOptions extends RangeRules {
  ignores: readonly FilterName[];
  /** What is proven about the service. By default, nothing yet. */
  proofs?: Proofs;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/** For the life of the process. */
export function createListChecks({ ignores, proofs = createProofs(), now, ...range }: ListChecksOptions): ListChecks {
  const lists = createVerifiedLists(now);
  return {
    range,
    ignores: new Set(ignores),
    listEnd: createListEndVerifier(proofs, lists),
    filters: createFilterVerifier(range, proofs, now),
    severalTasks: createSeveralTasksVerifier(proofs, lists),
    severalAssistants: createSeveralAssistantsVerifier(proofs, lists),
  };
}

export interface CallLogLoaders {
  /** One page by its query, with all checks. */
  callLogs: Loader<CallLogQuery, CallLogPage>;
  /** The same, but a page of several tasks may lack the calls of some of them (verifySeveralTasks.ts). */
  unprovenCallLogs: Loader<CallLogQuery, CallLogPage>;
  /** One page of which only the rows are certain. A caller that reads a range to its end judges the rest. */
  callLogPages: Loader<CallLogQuery, CallLogPage>;
}

/** `isFresh`: the response must come from a new request, neither from the cache nor from a request in flight. */
type Fetch = (query: CallLogQuery, isFresh: boolean) => Promise<CallLogPage>;

export function createCallLogLoaders(
  upstream: Pick<Upstream, "listCallLogs">,
  { range, ignores, listEnd, filters, severalTasks, severalAssistants }: ListChecks,
  requester = createRequester(),
): CallLogLoaders {
  const freshRequester = { ...requester, fresh: true };
  const checks = createCheckRequests(upstream, requester);
  const freshChecks = createCheckRequests(upstream, freshRequester);
  /** For the requests that the operation's cost has counted. */
  const fetchCounted: Fetch = (query, isFresh) => upstream.listCallLogs(query, isFresh ? freshRequester : requester);
  const refetch: Fetch = (query) => freshChecks.listCallLogs(query, "end");
  const fetchToCompare: Fetch = (query, isFresh) => (isFresh ? freshChecks : checks).listCallLogs(query, "tasks");

  async function readPage(query: CallLogQuery, fetch: Fetch, isFresh: boolean): Promise<CallLogPage> {
    const page = await fetch(query, isFresh);
    if (isWithinTotal(page) && endsWithinTotal(page)) return page;
    // A call may have been added after the service counted and before it listed the rows, so the page is loaded again.
    const again = requester.takeSpareRequest() ? await fetchCounted(query, true) : page;
    if (isWithinTotal(again)) return again;
    throw contractError("The service's call log has more rows on a page than its total.");
  }
  const readChecked = (query: CallLogQuery, fetch: Fetch, isFresh: boolean): Promise<CallLogPage> =>
    blamingService(readAndCheck(query, fetch, isFresh));
  async function readAndCheck(query: CallLogQuery, fetch: Fetch, isFresh: boolean): Promise<CallLogPage> {
    const ignored = filtersOf(query).find((name) => ignores.has(name));
    if (ignored !== undefined) throw filterIgnoredError(ignored);
    // There are two attempts, because a call may have been added between two requests.
    let fault: "end" | "assistants" | null = null;
    for (const attempt of [
      { fetch, isFresh },
      { fetch: refetch, isFresh: true },
    ]) {
      const page = checkRowsMatch(query, await readPage(query, attempt.fetch, attempt.isFresh), range);
      const isWrong = await listEnd.isTotalWrong(checks, query, page, fault === "end");
      if (!isWrong) {
        const found = await filters.findIgnored(checks, query, page);
        if (found !== null) throw filterIgnoredError(found);
        const isMisread = query.assistantIds.length > 1 && (await severalAssistants.isMisread(checks, query, page));
        if (!isMisread) return page;
      }
      fault = isWrong ? "end" : "assistants";
    }
    if (fault === "assistants") {
      severalAssistants.contradict();
      throw assistantIdsMisread();
    }
    listEnd.contradict();
    throw contractError("The service's call log does not end where its total says.");
  }

  const callLogPages = onceByKey(
    (query: CallLogQuery) => blamingService(readPage(query, fetchCounted, false)),
    queryText,
  );
  const unprovenCallLogs = onceByKey((query: CallLogQuery) => readChecked(query, fetchCounted, false), queryText);
  /** The operation's cost has counted the list itself, but not the lists that it is compared with. */
  const readForComparison = (query: CallLogQuery, isFresh: boolean) =>
    isFresh || query.taskIds.length === 1 ? readChecked(query, fetchToCompare, isFresh) : unprovenCallLogs.load(query);
  const callLogs = onceByKey(
    (query: CallLogQuery) =>
      query.taskIds.length > 1
        ? checkSeveralTasks(readForComparison, severalTasks, query, requester.signal)
        : unprovenCallLogs.load(query),
    queryText,
    ({ rows }) => requester.takeRows(rows.length),
  );
  return { callLogs, unprovenCallLogs, callLogPages };
}

/** The query's filters that a service may ignore without an error, by their names in the graph. */
function filtersOf({ taskIds, direction, phone, assistantIds, kind }: CallLogQuery) {
  const isGiven = {
    taskIds: taskIds.length > 0,
    direction: direction !== null,
    phone: phone !== null,
    assistantIds: assistantIds.length > 0,
    kind: kind !== null,
  };
  return filterNames.filter((name) => isGiven[name]);
}

/** Whether its rows end within its total, if the page is where it says. */
function endsWithinTotal({ rows, total, pageIndex, pageSize }: CallLogPage): boolean {
  return rows.length === 0 || (pageIndex - 1) * pageSize + rows.length <= total;
}

/** Holds for any page of the list: if the total is less than the rows of one page, it is wrong. */
function isWithinTotal({ rows, total }: CallLogPage): boolean {
  return rows.length <= total;
}

/** Canonical: the order of ids and of an object's keys makes no difference. */
function queryText(query: CallLogQuery): string {
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
