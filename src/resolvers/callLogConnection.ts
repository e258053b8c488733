// One page of the service's call log, as its fields are resolved.
import type { CallLogRecord } from "../upstream/upstream.ts";
import type { Range } from "./callLogRange.ts";
import type { PageInfo } from "./pageInfo.ts";

/** A writing of the number in which the service was asked. */
export interface AskedWriting {
  text: string;
  totalCount: number;
}

export interface CallLogConnection extends Range {
  rows: readonly CallLogRecord[];
  /** The cursor of the row at this index. It is sealed when it is called, because most lists are read without cursors. */
  cursorAt(index: number): string;
  pageInfo: PageInfo;
  totalCount: number;
  /** Signed when it is called. */
  headCursor: () => string;
  /** The list changed since the first page in a way that could not be followed: rows may be missing or repeated. */
  driftDetected: boolean;
  /** How the service was asked for a phone number. Null without a filter by phone number. */
  phoneWritings: AskedWriting[] | null;
}
