// The service's list of calls, page by page.
import { useMemo, useSyncExternalStore } from "react";
import type { CallLog, CallLogFilter } from "../generated/graph.ts";
import { textOf } from "../http/printDocument.ts";
import type { Words } from "../streams/callDocument.ts";
import type { Document } from "../types.ts";
import { createCallPages, type CallPagesState, type CallsPage } from "./callPages.ts";
import { useSwitchboard } from "./context.ts";
import { useMade } from "./store.ts";

const FIELDS = "id sessionId taskId direction caller callee startAt answerAt endAt duration billsec answered";

/** For a manifest of trusted documents. */
export const callsDocument = `query Calls($first: Int!, $after: String, $filter: CallLogFilter) {
  callLogs(first: $first, after: $after, filter: $filter) {
    totalCount
    driftDetected
    headCursor
    pageInfo { hasNextPage endCursor }
    nodes { __typename ${FIELDS} }
  }
}`;

export type ListedCall = Pick<CallLog, "__typename" | Words<typeof FIELDS>>;

export interface CallsVariables {
  first: number;
  after?: string | null;
  filter?: CallLogFilter | null;
}

export type CallsDocument<Call> = Document<{ callLogs: CallsPage<Call> | null }, CallsVariables>;

export interface CallsOptions {
  filter?: CallLogFilter | undefined;
  /** Number of calls of a page, 1 to 100. Default: 20. */
  first?: number | undefined;
}

export interface Calls<Call> extends CallPagesState<Call> {
  /** Reads the next page, if there is one and none is being read. */
  loadMore: () => void;
  /** Reads the first page again. The calls stay until it is here. */
  refetch: () => void;
}

const DEFAULT_FIRST = 20;

/** Another filter, number or document begins a new list. */
export function useCalls(options?: CallsOptions): Calls<ListedCall>;
export function useCalls<Call>(options: CallsOptions & { document: CallsDocument<Call> }): Calls<Call>;
export function useCalls<Call>(options: CallsOptions & { document?: CallsDocument<Call> } = {}): Calls<Call> {
  const client = useSwitchboard();
  const { filter, first = DEFAULT_FIRST, document = callsDocument } = options;
  const text = useMemo(() => textOf(document), [document]);
  const key = JSON.stringify([filter, first, text]);
  const pages = useMade(
    () =>
      createCallPages<Call>(async (after, signal) => {
        const variables: CallsVariables = { first, after, ...(filter === undefined ? {} : { filter }) };
        const { callLogs } = await client.query<{ callLogs: CallsPage<Call> | null }, CallsVariables>(text, variables, {
          signal,
        });
        return callLogs;
      }),
    [client, key],
  );
  const state = useSyncExternalStore(pages.subscribe, pages.get, pages.initial);
  return { ...state, loadMore: pages.loadMore, refetch: pages.restart };
}
