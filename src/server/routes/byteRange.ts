// Reads a Range header as far as players need it: one range of bytes. What it does not understand it leaves out of account,
// as RFC 9110 (14.2) allows.
import type { ByteRange } from "../../recordings/recordingStorage.ts";

/** Null: the whole; "unsatisfiable": no byte of `length` is in it. */
export function readByteRange(header: string | undefined, length: number): ByteRange | "unsatisfiable" | null {
  const [, from = "", to = ""] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? "") ?? [];
  if (from === "" && to === "") return null;
  if (from === "") {
    const last = length - 1;
    return Number(to) === 0 || length === 0 ? "unsatisfiable" : { first: Math.max(0, length - Number(to)), last };
  }
  if (to !== "" && Number(to) < Number(from)) return null;
  const first = Number(from);
  return first >= length ? "unsatisfiable" : { first, last: to === "" ? length - 1 : Math.min(Number(to), length - 1) };
}
