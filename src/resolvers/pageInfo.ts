/** Cursors are the first and the last edge's; null on an empty page. They may be sealed when they are asked for. */
export interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor(): string | null;
  endCursor(): string | null;
}

export interface Edge<T> {
  cursor: string;
  node: T;
}

export function pageInfo(
  edges: readonly Pick<Edge<unknown>, "cursor">[],
  more: Pick<PageInfo, "hasNextPage" | "hasPreviousPage">,
): PageInfo {
  return {
    ...more,
    startCursor: () => edges[0]?.cursor ?? null,
    endCursor: () => edges.at(-1)?.cursor ?? null,
  };
}
