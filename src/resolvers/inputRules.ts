// The rules of reading that schema types cannot say (docs/queries.md): each throws before anything is asked of anybody.
import type { Context } from "./context.ts";
import { CodedError } from "../errors.ts";

const LONGEST_PAGE = 100;
const LONGEST_LIST = 100;

/** Positive, and exact whatever its size: it goes into a path or a query as it is. */
const UPSTREAM_ID = /^[1-9]\d{0,38}$/;

/** For what is loaded together with others', and so in nobody's turn. Throws where the reader may read nothing, or has left. */
export function mayRead({ reader }: Pick<Context, "reader">): void {
  reader.signal.throwIfAborted();
}

export function badInput(message: string): CodedError {
  return new CodedError("BAD_USER_INPUT", message);
}

export function checkFirst(first: number): void {
  if (first < 1 || first > LONGEST_PAGE) throw badInput(`first must be from 1 to ${LONGEST_PAGE}.`);
}

export function checkUpstreamIds(name: string, ids: readonly string[]): void {
  checkListLength(name, ids);
  if (!ids.every((id) => UPSTREAM_ID.test(id))) throw badInput(`${name} must be positive integers.`);
}

export function checkUpstreamId(name: string, id: string): void {
  if (!UPSTREAM_ID.test(id)) throw badInput(`${name} must be a positive integer.`);
}

export function checkListLength(name: string, list: readonly unknown[]): void {
  if (list.length <= LONGEST_LIST) return;
  throw new CodedError("QUERY_TOO_COMPLEX", `${name} has more than ${LONGEST_LIST} entries.`);
}

/**
 * A number or the label of a line, such as A068, without blanks around it: what may stand in a query to the service. Of
 * blanks and signs alone the service could make no filter at all, and show everybody's calls.
 */
export function readPhone(given: string): string {
  const phone = given.trim();
  if (/^[+\w\-.()*# ]{1,64}$/.test(phone) && /[a-z\d]/i.test(phone)) return phone;
  throw badInput("phone must be a number or a line's label.");
}
