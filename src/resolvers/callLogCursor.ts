// A place in a page-index list. The cursor carries the range that the first page fixed, for "today" moves on between two
// pages, a digest of the arguments, for a place in one list is none in another, and the row it stands behind, for lists move.
import { z } from "zod";
import { CodedError } from "../errors.ts";
import { rowKey } from "../loaders/callLogWindow.ts";
import type { Anchor } from "../loaders/callLogAfter.ts";
import type { Signer } from "../util/hmac.ts";
import type { CallLogRecord } from "../upstream/upstream.ts";
import type { Range } from "./callLogRange.ts";

export interface CallLogPlace extends Anchor {
  range: Range;
  /** It was told already that the list moved beyond following: so it stays for all pages behind. */
  drift: boolean;
}

const whole = z.int().nonnegative();
const payload = z.tuple([z.string(), z.string(), z.string(), z.int().positive(), whole, z.string(), z.boolean()]);

export interface CallLogCursors {
  at(place: CallLogPlace): string;
  /** Throws CURSOR_INVALID for a cursor that is forged or came from other arguments. */
  read(cursor: string): CallLogPlace;
  /** The anchor's name: a keyed digest of the session id, or of the content where there is none. */
  nameOf(row: CallLogRecord): string;
}

/** `list` names the list with all its arguments; most lists are read without a cursor, and need no name. */
export function createCallLogCursors(seal: Signer, list: () => string): CallLogCursors {
  let made: string | undefined;
  const digest = () => (made ??= seal.digest("call log list", list()));
  return {
    nameOf: (row) => seal.digest("call log anchor", rowKey(row)),
    at({ range, offset, total, row, drift }) {
      const text = JSON.stringify([digest(), range.since, range.until, offset, total, row, drift]);
      return seal.sign("call log", Buffer.from(text).toString("base64url"));
    },
    read(cursor) {
      const text = seal.verify("call log", cursor);
      const fields = text === null ? null : payload.safeParse(parsed(text)).data;
      if (!fields) throw new CodedError("CURSOR_INVALID", "The cursor is not one of this gateway's.");
      const [from, since, until, offset, total, row, drift] = fields;
      if (from !== digest())
        throw new CodedError("CURSOR_INVALID", "The cursor belongs to a list with other arguments.");
      return { range: { since, until }, offset, total, row, drift };
    },
  };
}

/** An older gateway sealed other fields: its cursors are none here, and no fault. */
function parsed(text: string): unknown {
  return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
}
