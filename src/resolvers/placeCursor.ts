// The cursor of a place in a list that is ordered by a time and an id: sealed, and good for that list alone.
import { z } from "zod";
import { CodedError } from "../errors.ts";
import type { Signer } from "../util/hmac.ts";

export type ListPlace = [time: string, id: string];

const listPlace = z.tuple([z.string(), z.string()]);

export function placeCursor(list: string, place: ListPlace, seal: Signer): string {
  return seal.sign(list, Buffer.from(JSON.stringify(place)).toString("base64url"));
}

/** Throws CURSOR_INVALID. */
export function readPlaceCursor(list: string, cursor: string, seal: Signer): ListPlace {
  const text = seal.verify(list, cursor);
  if (text === null) throw new CodedError("CURSOR_INVALID", "The cursor is not one of this list's.");
  return listPlace.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
}
