// One page of the service's list at a time. The address holds the page, so that a reload, the back button and a link keep it. A
// page stays in sight until the next one is here, also while that one fails.
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useQuery, type Query } from "../../data/useQuery.ts";
import type { ConsoleCallsQuery } from "../../gql/graphql.ts";
import { withoutPage, type CallLogFilter, type PageSearch } from "./callsSearch.ts";
import { callsDocument } from "./documents.ts";

export type CallsPage = NonNullable<ConsoleCallsQuery["callLogs"]>;

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The pages before this one, the first one first. A link to a page comes without. */
    callPages?: readonly PageSearch[];
  }
}

export interface CallPages {
  /** Null until the first one is here. */
  page: CallsPage | null;
  offset: number;
  /** Epoch milliseconds. */
  readAt: number;
  query: Query<unknown>;
  /** Whether the address holds a page, or the time of one. */
  isHeld: boolean;
  next: (() => void) | null;
  previous: (() => void) | null;
  first: () => void;
}

export const PAGE_SIZE = 100;
const NONE: readonly PageSearch[] = [];

/** `at`: when the clock was read for the filter's range. */
export function useCallPages(filter: CallLogFilter, at: string): CallPages {
  const search = useSearch({ from: "/calls" });
  const before = useLocation({ select: ({ state }) => state.callPages }) ?? NONE;
  const navigate = useNavigate();
  const { after = null, offset = 0 } = search;
  const variables = useMemo(
    () => ({ first: PAGE_SIZE, after, filter, byPhone: filter.phone != null }),
    [filter, after],
  );
  const query = useQuery(callsDocument, variables);
  const page = query.data?.callLogs ?? null;
  const [shown, setShown] = useState<{ page: CallsPage | null; offset: number; readAt: number }>({
    page: null,
    offset: 0,
    readAt: 0,
  });
  if (page && page !== shown.page) setShown({ page, offset, readAt: Date.now() });

  function goTo(place: PageSearch, callPages: readonly PageSearch[]): void {
    void navigate({ to: "/calls", search: { ...withoutPage(search), ...place }, hash: true, state: { callPages } });
  }
  const { pageInfo, nodes } = shown.page ?? { pageInfo: null, nodes: [] };
  const isShown = page !== null && page === shown.page;
  const end = isShown && pageInfo?.hasNextPage ? (pageInfo.endCursor ?? null) : null;
  const isFirst = after === null;
  // A range of two instants is the same at any time.
  const held = search.since === undefined ? { at } : {};
  return {
    ...shown,
    query,
    isHeld: search.at !== undefined || !isFirst,
    next:
      end === null
        ? null
        : () =>
            goTo({ after: end, offset: shown.offset + nodes.length, ...held }, [
              ...before,
              isFirst ? held : { after, offset, ...held },
            ]),
    previous: isFirst ? null : () => goTo(before.at(-1) ?? held, before.slice(0, -1)),
    first: () => goTo({}, NONE),
  };
}
