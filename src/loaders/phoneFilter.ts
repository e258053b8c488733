// Decides whether a phone number of a row contradicts the phone filter. The service does not say whether it compares the whole
// number, its end, or a part of it. A number contradicts the filter if none of these explains the match.
import { areOneByPrefixes } from "../format/possibleNumbers.ts";
import { readPhone } from "../format/readPhone.ts";

/** In digits. A shorter text may be the label of a line. */
const MIN_NUMBER_LENGTH = 7;
/** A number with this many digits is complete, except for its country code or trunk zero. */
const COMPLETE_LENGTH = 10;
/** Two numbers differ if these last digits differ, whatever their country codes and trunk zeros are. */
const TAIL_LENGTH = 9;

/** `shown`: the caller or callee of a row; null where it has none. */
export function contradictsPhone(filter: string, shown: string | null): boolean {
  if (shown === null) return false;
  const [wanted, found] = [digitsOf(filter), digitsOf(shown)];
  if (wanted === null || found === null || found.length < MIN_NUMBER_LENGTH) return false;
  if (wanted === found || (wanted.length < COMPLETE_LENGTH && found.includes(wanted))) return false;
  if (haveSameTail(withoutLeadingZeros(wanted), withoutLeadingZeros(found))) return false;
  return !areOneByPrefixes(wanted, found);
}

/** Null for a text that is not a phone number, or has something beside it. */
function digitsOf(text: string): string | null {
  const reading = readPhone(text);
  if (reading.kind !== "number" || reading.extension !== null || reading.label !== null) return null;
  return reading.number.replace("+", "");
}

/** True for one number written with and without its country or area code. */
function haveSameTail(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length, TAIL_LENGTH);
  return length >= MIN_NUMBER_LENGTH && a.slice(-length) === b.slice(-length);
}

const withoutLeadingZeros = (digits: string) => digits.replace(/^0+/, "");
