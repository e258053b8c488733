// How a viewer sees the cursors of the log. A plain cursor holds the number of its entry, so a viewer that sees some rows only could
// count the events of others with it. Such a viewer gets hidden ones: encrypted, and without an order.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Signer } from "../util/hmac.ts";

export interface CursorView {
  /** The cursor of an event: always the same text for the same event. */
  ofEvent(cursor: string): string;
  /**
   * The cursor of any other place, such as the head. A hidden one is another text each time: equal texts would tell that nothing has
   * happened in between.
   */
  ofPlace(cursor: string): string;
}

export const PLAIN_CURSORS: CursorView = { ofEvent: (cursor) => cursor, ofPlace: (cursor) => cursor };

export interface HiddenCursors {
  /** `isEvent` false: another text each time. */
  at(seq: number, isEvent: boolean): string;
  /** Null for a text that `at` did not make with this key. */
  parse(cursor: string): number | null;
}

const PURPOSE = "hidden event";
/** One block of AES: the number of the entry in eight bytes, and as many that make places differ. */
const NUMBER_BYTES = 8;
const OF_EVENT = Buffer.alloc(NUMBER_BYTES);

export function createHiddenCursors(signer: Signer): HiddenCursors {
  const key = signer.deriveKey(PURPOSE);
  // A single block without padding is a permutation of its 16 bytes, so the electronic codebook repeats nothing here.
  const encrypt = (block: Buffer) => createCipheriv("aes-256-ecb", key, null).setAutoPadding(false).update(block);
  const decrypt = (block: Buffer) => createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false).update(block);
  return {
    at(seq, isEvent) {
      const number = Buffer.alloc(NUMBER_BYTES);
      number.writeBigUInt64BE(BigInt(seq));
      const block = encrypt(Buffer.concat([number, isEvent ? OF_EVENT : randomBytes(NUMBER_BYTES)]));
      return signer.sign(PURPOSE, block.toString("base64url"));
    },
    parse(cursor) {
      const block = signer.verify(PURPOSE, cursor);
      return block === null ? null : Number(decrypt(Buffer.from(block, "base64url")).readBigUInt64BE());
    },
  };
}
