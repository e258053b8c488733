// Judges whether a number that a row shows contradicts the phone filter. The service does not say how it compares: the whole
// number, its end, or a part of it. A contradiction is what none of these explains.
import { asciiDigits } from "../format/phoneText.ts";

/** Digits and what people write between them. A label, a masked number and an extension have something else. */
const NUMBER = /^[\s(]*\+?[\d\s().\-/]+$/;
/** A shorter one may be the label of a line. */
const SHORTEST_NUMBER = 7;
/** A number of so many digits is whole, but for its country code or trunk zero. */
const WHOLE_NUMBER = 10;
/** So many last digits tell two numbers apart, whatever code or trunk zero is before them. */
const TAIL = 9;

/** `shown`: the caller or callee of a row; null where it tells none. */
export function contradictsPhone(asked: string, shown: string | null): boolean {
  if (shown === null) return false;
  const [wanted, found] = [digitsOf(asked), digitsOf(shown)];
  if (wanted === null || found === null || found.length < SHORTEST_NUMBER) return false;
  if (wanted.length < WHOLE_NUMBER && found.includes(wanted)) return false;
  return !haveSameTail(withoutZeros(wanted), withoutZeros(found));
}

/** Null for what is no number. */
function digitsOf(text: string): string | null {
  const ascii = asciiDigits(text);
  return NUMBER.test(ascii) ? ascii.replaceAll(/\D/g, "") : null;
}

/** One number with its country or area code, and without. */
function haveSameTail(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length, TAIL);
  return length >= SHORTEST_NUMBER && a.slice(-length) === b.slice(-length);
}

const withoutZeros = (digits: string) => digits.replace(/^0+/, "");
