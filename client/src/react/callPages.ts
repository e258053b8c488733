// Reads a list page by page: one request at a time, and the first page as soon as a component shows the list.
import type { PageInfo } from "../generated/graph.ts";
import type { SwitchboardError } from "../switchboardError.ts";
import { createStore, type Store } from "./store.ts";

/** What a document must select of callLogs. */
export interface CallsPage<Call> {
  nodes: readonly Call[];
  pageInfo: Pick<PageInfo, "hasNextPage" | "endCursor">;
  totalCount?: number;
  driftDetected?: boolean;
  headCursor?: string;
}

export interface CallPagesState<Call> {
  /** The calls of the pages that were read. */
  calls: readonly Call[];
  /** A page is being read. */
  loading: boolean;
  /** Why the last page could not be read. */
  error: SwitchboardError | null;
  hasMore: boolean;
  /** Null until the first page is here, and where the document does not select it. */
  totalCount: number | null;
  /** The service's list moved while it was read: calls may be missing or repeated, and refetch begins again. */
  driftDetected: boolean;
  /** The head of the log at the first page: useCallEnded({ after: headCursor }) goes on from here. Null as totalCount is. */
  headCursor: string | null;
}

export interface CallPages<Call> extends Store<CallPagesState<Call>> {
  loadMore(): void;
}

type ReadPage<Call> = (after: string | null, signal: AbortSignal) => Promise<CallsPage<Call> | null>;

export function createCallPages<Call>(readPage: ReadPage<Call>): CallPages<Call> {
  const first: CallPagesState<Call> = {
    calls: [],
    loading: true,
    error: null,
    hasMore: false,
    totalCount: null,
    driftDetected: false,
    headCursor: null,
  };
  let endCursor: string | null = null;
  let work = new AbortController().signal;

  async function read(after: string | null, signal: AbortSignal): Promise<void> {
    if (!store.get().loading) store.set({ ...store.get(), loading: true, error: null });
    try {
      const page = await readPage(after, signal);
      if (signal.aborted) return;
      const calls = after === null ? [] : store.get().calls;
      endCursor = page?.pageInfo.endCursor ?? null;
      store.set({
        calls: [...calls, ...(page?.nodes ?? [])],
        loading: false,
        error: null,
        hasMore: page?.pageInfo.hasNextPage ?? false,
        totalCount: page?.totalCount ?? null,
        driftDetected: page?.driftDetected ?? false,
        headCursor: (after === null ? page?.headCursor : store.get().headCursor) ?? null,
      });
    } catch (error) {
      if (!signal.aborted) store.set({ ...store.get(), loading: false, error: error as SwitchboardError });
    }
  }
  const store: Store<CallPagesState<Call>> = createStore(first, async (_, signal) => {
    work = signal;
    await read(null, signal);
  });
  return {
    ...store,
    loadMore() {
      const { loading, hasMore } = store.get();
      if (!loading && hasMore) void read(endCursor, work);
    },
  };
}
