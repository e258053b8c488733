// Cursors of lists of calls, which the service serves by page index. A cursor carries the range that the first page fixed, a
// digest of the list's arguments, and a digest of the row it comes after, because rows move between requests.
import { z } from "zod";
import { CodedError } from "../errors.ts";
import type { Anchor } from "../loaders/callLogAfter.ts";
import { rowKey } from "../loaders/readWindow.ts";
import type { CallLogRecord } from "../upstream/upstream.ts";
import type { Signer } from "../util/hmac.ts";
import type { Range } from "./callLogRange.ts";

export interface CallLogPosition extends Anchor {
  range: Range;
  /** Drift was detected on an earlier page: later pages report it, too. */
  drift: boolean;
}

const count = z.int().nonnegative();
const payload = z.tuple([z.string(), z.string(), z.string(), z.int().positive(), count, z.string(), z.boolean()]);

export interface CallLogCursors {
  at(position: CallLogPosition): string;
  /** Throws CURSOR_INVALID for a cursor that is forged or belongs to other arguments. */
  read(cursor: string): CallLogPosition;
  /** A keyed digest of the row's session ID, or of its content where it has none. */
  nameOf(row: CallLogRecord): string;
}

/** `list` names the list with all its arguments. It is called only when a cursor is read or made. */
export function createCallLogCursors(signer: Signer, list: () => string): CallLogCursors {
  let digest: string | undefined;
  const listDigest = () => (digest ??= signer.digest("call log list", list()));
  return {
    nameOf: (row) => signer.digest("call log anchor", rowKey(row)),
    at({ range, offset, total, row, drift }) {
      const text = JSON.stringify([listDigest(), range.since, range.until, offset, total, row, drift]);
      return signer.sign("call log", Buffer.from(text).toString("base64url"));
    },
    read(cursor) {
      const text = signer.verify("call log", cursor);
      const fields = text === null ? null : payload.safeParse(parse(text)).data;
      if (!fields) throw new CodedError("CURSOR_INVALID", "The cursor was not made by this gateway.");
      const [from, since, until, offset, total, row, drift] = fields;
      if (from !== listDigest())
        throw new CodedError("CURSOR_INVALID", "The cursor belongs to a list with other arguments.");
      return { range: { since, until }, offset, total, row, drift };
    },
  };
}

/** The fields may be those of an older gateway's cursor: the schema rejects them. */
function parse(text: string): unknown {
  return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
}
