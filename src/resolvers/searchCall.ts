// Looks for one call in the service's list, which has no look-up by session: page by page through a stretch of time, with
// so many requests at most. What they cannot cover is an error: "not found" is only said of a list that was read whole.
import type { Context } from "./context.ts";
import { CodedError } from "../errors.ts";
import { searchWindow } from "../format/searchWindow.ts";
import { contractError } from "../upstream/serviceResponse.ts";
import type { CallLogRecord } from "../upstream/upstream.ts";

export interface Stretch {
  /** Epoch milliseconds. */
  from: number;
  to: number;
  /** Where the call most likely is: looked at first where the whole is too long. */
  near: number;
}

/** The service's largest page (section 4.1). */
const PAGE = 100;
/** Of the rows that the requests left could read: calls are not spread evenly. */
const HOPED_FOR = 0.5;
const NO_FILTER = { taskIds: [], assistantIds: [], direction: null, phone: null, kind: null } as const;

type Asking = Pick<Context, "loaders" | "serviceTimeZone">;

/** Requests go one after the other, and end where the call is found. Throws UPSTREAM_*, and QUERY_TOO_COMPLEX. */
export async function searchCall(
  sessionId: string,
  stretch: Stretch,
  mostRequests: number,
  context: Asking,
): Promise<CallLogRecord | null> {
  const whole = await readRange(sessionId, stretch, { mostRequests, mostPages: mostRequests }, context);
  if (whole.row || whole.isCovered) return whole.row;
  const left = mostRequests - whole.asked;
  // Where the first page told that the rest is too long, the requests that are left go where the call most likely is.
  const closer = around(stretch, Math.min(1, (HOPED_FOR * left * whole.pageSize) / whole.total));
  const isTooLong = whole.asked === 1 && left > 0;
  const close = isTooLong
    ? await readRange(sessionId, closer, { mostRequests: left, mostPages: Infinity }, context)
    : null;
  if (close?.row) return close.row;
  throw tooLong(mostRequests);
}

interface Reading {
  row: CallLogRecord | null;
  /** Every row that was there when the reading began was read. */
  isCovered: boolean;
  asked: number;
  total: number;
  pageSize: number;
}

interface Bounds {
  mostRequests: number;
  /** Where there are more, the first is all that is read. */
  mostPages: number;
}

async function readRange(
  sessionId: string,
  { from, to }: Stretch,
  { mostRequests, mostPages }: Bounds,
  { loaders, serviceTimeZone }: Asking,
): Promise<Reading> {
  const range = { ...NO_FILTER, ...searchWindow(from, to, serviceTimeZone), pageSize: PAGE };
  const met = new Set<string>();
  let first: { total: number; pageSize: number } | undefined;
  let [read, unnamed, shrank, last] = [0, 0, false, 0];
  for (let asked = 1; ; asked += 1) {
    const { rows, total, pageSize } = await loaders.callLogPages.load({ ...range, pageIndex: asked });
    // What was given, and not what is told of it: some services give less.
    first ??= { total, pageSize: Math.max(rows.length, 1) };
    const row = rows.find((each) => each.sessionId === sessionId);
    if (row) return { row, isCovered: true, asked, ...first };
    const known = met.size;
    for (const each of rows) {
      if (each.sessionId === null) unnamed += 1;
      else met.add(each.sessionId);
    }
    read += rows.length;
    shrank ||= total < last;
    last = total;
    // Behind the end some services repeat a page.
    const isRepeated = asked > 1 && met.size === known && rows.every(({ sessionId }) => sessionId !== null);
    if (read > total && !shrank && !isRepeated)
      throw contractError("The service's call log goes on behind its end: see total.");
    // A full page that its total calls the last may be all that the service counts.
    const isFull = rows.length >= Math.min(PAGE, pageSize);
    const isEnd = rows.length === 0 || isRepeated || (read >= total && !isFull);
    // Rows that came twice stand for rows that moved, and what left may have hidden another.
    const isCovered = isEnd && !shrank && met.size + unnamed >= first.total;
    const isTooLong = Math.ceil(first.total / first.pageSize) > mostPages;
    if (isEnd || isTooLong || asked === mostRequests) return { row: null, isCovered, asked, ...first };
  }
}

function around({ from, to, near }: Stretch, part: number): Stretch {
  const half = Math.ceil(((to - from) * part) / 2);
  return { from: Math.max(from, near - half), to: Math.min(to, near + half), near };
}

function tooLong(mostRequests: number): CodedError {
  return new CodedError(
    "QUERY_TOO_COMPLEX",
    `The service's list has more calls around that time, or moves faster, than ${mostRequests} requests can search: give around.`,
  );
}
