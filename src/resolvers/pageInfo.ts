// Pages of lists: edges, PageInfo, and the sealed cursors of lists that are ordered by a time and an id.
import { z } from "zod";
import { CodedError } from "../errors.ts";
import type { Signer } from "../util/hmac.ts";

/** `first` and `after` of a list's arguments. */
export interface Paging {
  first: number;
  after?: string | null | undefined;
}

export interface Edge<T> {
  cursor: string;
  node: T;
}

/** The cursors of the first and the last edge, null on an empty page. They may be sealed only when they are called. */
export interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor(): string | null;
  endCursor(): string | null;
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

export type ListPosition = [time: string, id: string];

const listPosition = z.tuple([z.string(), z.string()]);

/** A cursor that is valid for the list of this name only. */
export function positionCursor(list: string, position: ListPosition, signer: Signer): string {
  return signer.sign(list, Buffer.from(JSON.stringify(position)).toString("base64url"));
}

/** Throws CURSOR_INVALID. */
export function readPositionCursor(list: string, cursor: string, signer: Signer): ListPosition {
  const text = signer.verify(list, cursor);
  if (text === null) throw foreignCursor();
  return listPosition.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
}

export function foreignCursor(): CodedError {
  return new CodedError("CURSOR_INVALID", "The cursor does not belong to this list.");
}
