// One page of the service's list at a time. A page stays in sight until the next one is here, also while that one fails.
import { useMemo, useState } from "react";
import { useQuery, type Query } from "../../data/useQuery.ts";
import type { ConsoleCallsQuery } from "../../gql/graphql.ts";
import type { CallLogFilter } from "./callsSearch.ts";
import { callsDocument } from "./documents.ts";

export type CallsPage = NonNullable<ConsoleCallsQuery["callLogs"]>;

interface Place {
  after: string | null;
  /** Number of calls before this page. */
  offset: number;
}

export interface CallPages {
  /** Null until the first one is here. */
  page: CallsPage | null;
  offset: number;
  /** Epoch milliseconds. */
  readAt: number;
  query: Query<unknown>;
  next: (() => void) | null;
  previous: (() => void) | null;
  first: () => void;
}

export const PAGE_SIZE = 100;
const START: readonly Place[] = [{ after: null, offset: 0 }];

/** `filter` null: nothing is asked. Another filter begins at its first page. */
export function useCallPages(filter: CallLogFilter | null): CallPages {
  const key = JSON.stringify(filter);
  const [way, setWay] = useState({ key, places: START });
  const places = way.key === key ? way.places : START;
  const place = places.at(-1) ?? { after: null, offset: 0 };
  const variables = useMemo(
    () => (filter ? { first: PAGE_SIZE, after: place.after, filter } : null),
    [filter, place.after],
  );
  const query = useQuery(callsDocument, variables);
  const page = query.data?.callLogs ?? null;
  const [shown, setShown] = useState<{ page: CallsPage | null; offset: number; readAt: number }>({
    page: null,
    offset: 0,
    readAt: 0,
  });
  if (page && page !== shown.page) setShown({ page, offset: place.offset, readAt: Date.now() });

  const { pageInfo, nodes } = shown.page ?? { pageInfo: null, nodes: [] };
  const goTo = (places: readonly Place[]) => setWay({ key, places });
  const isShown = page !== null && page === shown.page;
  const after = isShown && pageInfo?.hasNextPage ? (pageInfo.endCursor ?? null) : null;
  return {
    ...shown,
    query,
    next: after === null ? null : () => goTo([...places, { after, offset: shown.offset + nodes.length }]),
    previous: places.length < 2 ? null : () => goTo(places.slice(0, -1)),
    first: () => goTo(START),
  };
}
