import { CodedError } from "../errors.ts";
import type { Signer } from "../util/hmac.ts";

// 36^10 is beyond any number of calls, and a fixed width makes the order of the texts that of the numbers.
const WIDTH = 10;

export interface EventCursors {
  /** Opaque text for a place in the log, ordered by code unit. */
  at(seq: number): string;
  /** Throws CURSOR_INVALID for what was not made here. */
  read(cursor: string): number;
}

export function createEventCursors(seal: Signer): EventCursors {
  return {
    at: (seq) => seal.sign("event", seq.toString(36).padStart(WIDTH, "0")),
    read(cursor) {
      const place = seal.verify("event", cursor);
      if (place === null) throw new CodedError("CURSOR_INVALID", "The cursor is not one of this log's.");
      return Number.parseInt(place, 36);
    },
  };
}
