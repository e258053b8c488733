// Lists the calls of a phone number. The service's document does not say how it compares numbers. If it compares whole texts, one number
// has a list for each of its writings, so it is asked in each, and the lists are joined one after the other.
import { CodedError } from "../errors.ts";
import { phoneColumn } from "../events/callEndedEvent.ts";
import { askedWritings, comparedWritings, MAX_ASKED_WRITINGS } from "../format/phoneWritings.ts";
import { isWholeNumber, readPhone, type PhoneNumber } from "../format/readPhone.ts";
import type { CallLogRecord } from "../upstream/upstream.ts";
import type { Range } from "./callLogRange.ts";
import type { CallLogConnection } from "./callLogConnection.ts";
import type { Context } from "./context.ts";
import type { Paging } from "./pageInfo.ts";

/** Reads a page of the list of one writing. `fixed`: the range of the other lists. */
export type ReadWriting = (phone: string, paging: Paging, fixed: Range | null) => Promise<CallLogConnection>;

interface List {
  text: string;
  page: CallLogConnection;
}

/** The most requests of a page: one for each writing, and after a cursor two for its own list. */
export const phoneRequests = (after: string | null | undefined): number => MAX_ASKED_WRITINGS + (after == null ? 0 : 2);

/** Throws as the lists do, if none of them has calls. */
export async function callsInWritings(
  reading: PhoneNumber,
  { first, after }: Paging,
  read: ReadWriting,
  context: Context,
): Promise<CallLogConnection> {
  const writings = await writingsOf(reading, context);
  const start = after == null ? null : await listOfCursor(writings, { first, after }, read);
  const lists = await readLists(reading, writings, (text, fixed) => read(text, { first }, fixed), start?.page ?? null);
  const kept = joinable(lists);
  const at = kept.findIndex(({ text }) => text === start?.text);
  const isLost = start !== null && at === -1;
  const following = isLost ? [] : kept.slice(Math.max(at, 0) + (start === null ? 0 : 1));
  const pages = [...(start === null ? [] : [start.page]), ...following.map(({ page }) => page)];
  const joined = joinPages(pages, first);
  return {
    ...joined,
    totalCount: isLost ? joined.totalCount : kept.reduce((sum, { page }) => sum + page.totalCount, 0),
    driftDetected: isLost || pages.some(({ driftDetected }) => driftDetected),
    pageInfo: { ...joined.pageInfo, hasPreviousPage: joined.pageInfo.hasPreviousPage || at > 0 },
    phoneWritings: lists.map(({ text, page: { totalCount } }) => ({ text, totalCount })),
  };
}

/** The national number, which is a part of most writings, how the log writes the number, and then the other likely writings. */
async function writingsOf(reading: PhoneNumber, { events, queryOwner }: Context): Promise<string[]> {
  const phones = comparedWritings(reading);
  const query = {
    first: KNOWN_EVENTS,
    after: null,
    filter: { phones },
    order: "newestFirst",
    revisions: false,
  } as const;
  const page = await queryOwner
    .once(["callEndedEvents", query], () => events.page({ ...query, queryOwner }))
    .catch((error: unknown) => {
      // The list is the service's: it can be read without the log.
      if (isCoded(error, "STORE_UNAVAILABLE")) return { events: [] };
      throw error;
    });
  const known = page.events
    .flatMap(({ caller, callee }) => [caller, callee])
    .filter((text) => text !== null && phones.includes(phoneColumn(text)))
    .filter((text) => text !== null && text.length <= MAX_WRITING_LENGTH);
  const [national, ...others] = askedWritings(reading);
  return [...new Set([national, ...known, ...others])].filter((text) => text != null).slice(0, MAX_ASKED_WRITINGS);
}

/** The newest events of the number show how the service writes it. */
export const KNOWN_EVENTS = 10;
const MAX_WRITING_LENGTH = 32;

/** Each cursor belongs to the list of one writing. */
async function listOfCursor(writings: readonly string[], paging: Paging, read: ReadWriting): Promise<List> {
  let refusal: unknown;
  for (const text of writings) {
    try {
      return { text, page: await read(text, paging, null) };
    } catch (error) {
      if (!isCoded(error, "CURSOR_INVALID")) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

async function readLists(
  reading: PhoneNumber,
  writings: readonly string[],
  read: (text: string, fixed: Range | null) => Promise<CallLogConnection>,
  fixed: Range | null,
): Promise<List[]> {
  const isOwn = createIsOwn(reading);
  const lists: List[] = [];
  let range = fixed;
  let refusal: unknown;
  for (const text of writings) {
    try {
      const page = await read(text, range);
      range ??= { since: page.since, until: page.until };
      // A part of a number may be a part of others', too.
      if (text === reading.number || page.rows.every(isOwn)) lists.push({ text, page });
    } catch (error) {
      if (!isCoded(error, "UPSTREAM_FILTER_IGNORED")) throw error;
      refusal = error;
    }
  }
  if (refusal !== undefined && !lists.some(({ page }) => page.totalCount > 0)) throw refusal;
  return lists;
}

/**
 * The lists that make up the whole, each call in one of them. A service that compares whole texts has a list for each writing. One that
 * compares parts has the longest list, and those whose rows do not show its writing.
 */
function joinable(lists: readonly List[]): List[] {
  const found = lists.filter(({ page }) => page.totalCount > 0);
  if (found.length < 2) return found.length === 0 ? lists.slice(0, 1) : found;
  const isExact = found.every(({ text, page }) => page.rows.every((row) => numbersOf(row).includes(text)));
  if (isExact && !hasRepeats(found)) return found;
  const [longest, ...others] = found.toSorted((a, b) => b.page.totalCount - a.page.totalCount) as [List, ...List[]];
  const kept = [longest];
  // A row without the writing that was asked: the service compares digits, and finds every writing at once.
  if (!longest.page.rows.every((row) => shows(row, longest.text))) return kept;
  for (const list of others) {
    const isCovered = list.page.rows.some((row) => kept.some(({ text }) => shows(row, text)));
    if (!isCovered && !hasRepeats([...kept, list])) kept.push(list);
  }
  return kept;
}

const numbersOf = ({ caller, callee }: CallLogRecord): (string | null)[] => [caller, callee];
const shows = (row: CallLogRecord, text: string) => numbersOf(row).some((number) => number?.includes(text));

/** Whether a call is in two of the lists, as far as their first rows show. */
function hasRepeats(lists: readonly List[]): boolean {
  const ids = lists.flatMap(({ page }) => page.rows.flatMap(({ sessionId }) => sessionId ?? []));
  return new Set(ids).size < ids.length;
}

/** The first rows of lists that follow each other. */
function joinPages(pages: readonly CallLogConnection[], first: number): CallLogConnection {
  const [head, ...others] = pages as [CallLogConnection, ...CallLogConnection[]];
  const parts: { page: CallLogConnection; count: number }[] = [];
  let left = first;
  for (const page of [head, ...others]) {
    const count = Math.min(left, page.rows.length);
    parts.push({ page, count });
    left -= count;
  }
  const hasMore = ({ page, count }: (typeof parts)[number]) => count < page.rows.length || page.pageInfo.hasNextPage;
  const rows = parts.flatMap(({ page, count }) => page.rows.slice(0, count));
  const cursorAt = (index: number): string => {
    let start = 0;
    for (const { page, count } of parts) {
      if (index < start + count) return page.cursorAt(index - start);
      start += count;
    }
    throw new RangeError(`The page has no row ${index}.`);
  };
  return {
    ...head,
    rows,
    cursorAt,
    pageInfo: {
      hasNextPage: parts.some(hasMore),
      hasPreviousPage: head.pageInfo.hasPreviousPage,
      startCursor: () => (rows.length === 0 ? null : cursorAt(0)),
      endCursor: () => (rows.length === 0 ? null : cursorAt(rows.length - 1)),
    },
  };
}

/** A label of a line or a masked number decides nothing. Of the phone numbers of a row, one must be the person's. */
export function createIsOwn(reading: PhoneNumber): (row: CallLogRecord) => boolean {
  const compared = new Set(comparedWritings(reading));
  return ({ caller, callee }) => {
    const phones = [caller, callee].flatMap((text) => {
      const shown = text === null ? null : readPhone(text);
      return shown !== null && isWholeNumber(shown) ? [shown.number] : [];
    });
    return phones.length === 0 || phones.some((phone) => compared.has(phone));
  };
}

const isCoded = (error: unknown, code: string): boolean => error instanceof CodedError && error.code === code;
