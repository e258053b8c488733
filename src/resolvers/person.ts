// A person of another subgraph, known by phone number alone, and the person's calls in the service's list.
import { CodedError } from "../errors.ts";
import type { Instant } from "../format/instant.ts";
import { instantOf } from "../format/instant.ts";
import { noKeyMessage } from "../format/phoneKeys.ts";
import { askedWritings } from "../format/phoneWritings.ts";
import { isWholeNumber, readPhone, type PhoneNumber } from "../format/readPhone.ts";
import { DAY_MS } from "../util/durations.ts";
import type { CallLogRecord } from "../upstream/upstream.ts";
import type { Call } from "./call.ts";
import { callOfRow } from "./callLog.ts";
import type { GivenRange } from "./callLogRange.ts";
import { callsSince, type CallLogConnection } from "./callLogs.ts";
import type { Context } from "./context.ts";
import { badInput, MAX_FIRST } from "./inputRules.ts";
import type { Paging } from "./pageInfo.ts";
import { createIsOwn } from "./phoneCalls.ts";

export interface Person {
  personPhone: string;
}

/** Without a range, calls begin at the start of the day before this many days. */
export const DEFAULT_DAYS = 30;
/** The service is asked for at most this many writings of a number. */
export const MAX_WRITINGS = 3;
/** Shorter ranges in which the last call is searched, where the service lists more calls than a page has. */
const NARROW_DAYS = [7, 1];
/** The most requests of a search for the last call. */
export const LAST_CALL_REQUESTS = MAX_WRITINGS + NARROW_DAYS.length * MAX_WRITINGS;

export function isPerson(record: object): record is Person {
  return "personPhone" in record;
}

/** Throws BAD_USER_INPUT. */
export function personOf(phone: string): Person {
  readNumber(phone);
  return { personPhone: phone };
}

function readNumber(phone: string): PhoneNumber {
  const reading = readPhone(phone);
  if (!isWholeNumber(reading)) throw badInput(`phone of a Person ${noKeyMessage(phone)}.`);
  return reading;
}

/** The calls from and to the person, in the service's order. */
export async function personCalls(
  { personPhone }: Person,
  { first, after, range }: Paging & { range?: GivenRange | null | undefined },
  context: Context,
): Promise<CallLogConnection> {
  const begin = instantOf(context.clock() - DEFAULT_DAYS * DAY_MS);
  return callsOf(personPhone, { first, after, ...range }, begin, context);
}

/** The call that started last within the last 30 days. Null where the service lists none. */
export async function lastCallOf({ personPhone }: Person, context: Context): Promise<Call | null> {
  for (const days of [DEFAULT_DAYS, ...NARROW_DAYS]) {
    const begin = instantOf(context.clock() - days * DAY_MS);
    const { rows, pageInfo } = await callsOf(personPhone, { first: MAX_FIRST }, begin, context);
    // The service does not state the order of its list, so that only a complete one tells the last call.
    if (pageInfo.hasNextPage) continue;
    const last = latestOf(rows);
    if (last) return callOfRow(last, context);
    if (days === DEFAULT_DAYS) return null;
    break;
  }
  throw new CodedError(
    "QUERY_TOO_COMPLEX",
    `The person has more than ${MAX_FIRST} calls, too many to find the last one: use calls with a short range.`,
  );
}

function latestOf(rows: readonly CallLogRecord[]): CallLogRecord | null {
  return rows.reduce<CallLogRecord | null>(
    (last, row) => (last === null || timeOf(row) > timeOf(last) ? row : last),
    null,
  );
}

const timeOf = ({ startAt, endAt }: CallLogRecord): string => startAt ?? endAt ?? "";

/**
 * The service may compare whole numbers, or parts of them. The national number is part of every writing, so it is asked for
 * first; the other writings only where the service lists no call for it. Throws UPSTREAM_FILTER_IGNORED.
 */
async function callsOf(
  phone: string,
  { first, after, since, until }: Paging & GivenRange,
  begin: Instant,
  context: Context,
): Promise<CallLogConnection> {
  const reading = readNumber(phone);
  const writings = askedWritings(reading).slice(0, MAX_WRITINGS);
  const isOwn = createIsOwn(reading);
  let found: CallLogConnection | undefined;
  let refusal: unknown;
  for (const writing of writings) {
    try {
      const page = await callsSince(begin, { first, after, filter: { phone: writing, since, until } }, context);
      if (!page.rows.every(isOwn)) throw othersInList();
      found ??= page;
      if (page.totalCount > 0 || after != null) return page;
    } catch (error) {
      if (!isOfWriting(error)) throw error;
      refusal = error;
    }
  }
  if (found && refusal === undefined) return found;
  throw refusal;
}

/** Whether another writing may succeed: the cursor belongs to one of them, and a shorter one may match others' numbers. */
function isOfWriting(error: unknown): boolean {
  return error instanceof CodedError && (error.code === "CURSOR_INVALID" || error.code === "UPSTREAM_FILTER_IGNORED");
}

const othersInList = () =>
  new CodedError("UPSTREAM_FILTER_IGNORED", "The service's list for a number holds calls of other numbers.");
