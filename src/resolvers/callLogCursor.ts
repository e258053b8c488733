// A place in a page-index list. The cursor carries the range that the first page fixed, for "today" moves on between two
// pages, and a digest of the arguments, for a place in one list is none in another.
import { z } from "zod";
import { CodedError } from "../errors.ts";
import type { Seal } from "../seal.ts";
import type { Range } from "./range.ts";

export interface CallLogPlace {
  range: Range;
  /** Rows before and including the one the cursor stands at. */
  offset: number;
}

const payload = z.tuple([z.string(), z.string(), z.string(), z.int().nonnegative()]);

export interface CallLogCursors {
  at(place: CallLogPlace): string;
  /** Throws CURSOR_INVALID for a cursor that is forged or came from other arguments. */
  read(cursor: string): CallLogPlace;
}

/** `list` names the list with all its arguments. */
export function createCallLogCursors(seal: Seal, list: string): CallLogCursors {
  const digest = seal.digest("call log list", list);
  return {
    at({ range, offset }) {
      const text = JSON.stringify([digest, range.since, range.until, offset]);
      return seal.close("call log", Buffer.from(text).toString("base64url"));
    },
    read(cursor) {
      const text = seal.open("call log", cursor);
      if (text === null) throw new CodedError("CURSOR_INVALID", "The cursor is not one of this gateway's.");
      const [from, since, until, offset] = payload.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
      if (from !== digest) throw new CodedError("CURSOR_INVALID", "The cursor belongs to a list with other arguments.");
      return { range: { since, until }, offset };
    },
  };
}
