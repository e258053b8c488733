/** Cursors are the first and the last edge's; null on an empty page. */
export interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

export interface Edge<T> {
  cursor: string;
  node: T;
}

export function pageInfo(
  edges: readonly Edge<unknown>[],
  { hasNextPage, hasPreviousPage }: Pick<PageInfo, "hasNextPage" | "hasPreviousPage">,
): PageInfo {
  // A cursor is sealed when it is asked for.
  return {
    hasNextPage,
    hasPreviousPage,
    get startCursor() {
      return edges[0]?.cursor ?? null;
    },
    get endCursor() {
      return edges.at(-1)?.cursor ?? null;
    },
  };
}
