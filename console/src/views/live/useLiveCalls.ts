// The newest calls of the log, then the stream behind them: nothing is missing and nothing is there twice.
import { useCallback, useEffect, useMemo, useRef } from "react";
import type { StreamItem, SwitchboardError } from "switchboard-client";
import { useCallEnded } from "switchboard-client/react";
import { useQuery } from "../../data/useQuery.ts";
import type { LiveCallFragment } from "../../gql/graphql.ts";
import { useSession } from "../../session/SessionProvider.tsx";
import type { CallEndedFilter } from "./liveFilter.ts";
import { liveStartDocument, liveStreamDocument } from "./documents.ts";

export type LiveItem = StreamItem<LiveCallFragment>;

export interface LiveList {
  /** The newest first. Null until the first ones are here. */
  items: readonly LiveItem[] | null;
  error: SwitchboardError | null;
  failedSince: number | null;
  retryAt: number | null;
  retry: () => void;
  /** Whether an item came less than a second ago. */
  isFresh: (item: LiveItem) => boolean;
}

const LIMIT = 10_000;
const FRESH_MS = 1000;

export function useLiveCalls(filter: CallEndedFilter): LiveList {
  const { refresh } = useSession();
  const start = useQuery(liveStartDocument, { filter });
  const page = start.data?.callEndedEvents ?? null;
  const initial = useMemo(() => (page ? { nodes: page.nodes, headCursor: page.headCursor } : undefined), [page]);
  const live = useCallEnded({ document: liveStreamDocument, initial, filter, limit: LIMIT, paused: page === null });
  const isFresh = useArrivals(live.items);

  const { error } = live;
  useEffect(() => {
    if (error?.code === "FORBIDDEN") refresh();
  }, [error, refresh]);
  const isCursorLost = error?.code.startsWith("CURSOR_") ?? false;
  return {
    items: page ? live.items : null,
    error: error ?? start.error,
    failedSince: start.failedSince,
    retryAt: start.retryAt,
    retry: isCursorLost || start.error ? start.refetch : live.retry,
    isFresh,
  };
}

/** Remembers when items came that were not there at first. */
function useArrivals(items: readonly LiveItem[]): (item: LiveItem) => boolean {
  const arrivals = useRef(new WeakMap<LiveItem, number>());
  const newest = useRef<LiveItem | undefined>(undefined);
  const [head] = items;
  if (head !== newest.current) {
    const known = newest.current;
    for (const item of known ? items : []) {
      if (item === known) break;
      arrivals.current.set(item, Date.now());
    }
    newest.current = head;
  }
  return useCallback((item: LiveItem) => Date.now() - (arrivals.current.get(item) ?? 0) < FRESH_MS, []);
}
