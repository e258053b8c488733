// When two writings are one phone number, and where one stands in a text. A number is erased by it, so it finds every
// usual writing; and what it finds is gone, so a country code is guessed only where nothing else fits.
import { asciiDigits, dialled, LONGEST_NUMBER } from "../format/phoneText.ts";
import { decodedTextsOf } from "./decodedTexts.ts";

/** `isInternational`: written with `+` or `00`, so that a country code comes first. */
interface Phone {
  /** ASCII, without leading zeros. */
  digits: string;
  isInternational: boolean;
}

const [FEWEST, MOST] = [7, 20];
/** A country code has one to three digits. */
const CODE_LENGTHS = [1, 2, 3];
/** So long a number is whole without its country code, though nothing says that the other one has a code. */
const LONG_NATIONAL = 10;
const GROUP = /\+?\d+/g;
/** What people write between the groups of a number; a letter ends it, but one that is not seen, or is a mark (ー). */
const BETWEEN = /^(?:[^\p{L}\d]|\p{Lm}|\p{Default_Ignorable_Code_Point}){1,3}$/u;

/** Null: no number that could be a person's. A label of a line (A068) is none. */
export function createPhoneMatcher(number: string): ((text: string) => boolean) | null {
  if (number.length > LONGEST_NUMBER) return null;
  const text = asciiDigits(number);
  if (!/^[\s(]*\+?[\d\s().\-/]+$/.test(text)) return null;
  const digits = text.replaceAll(/\D/g, "");
  const wanted = phoneOf(text.includes("+") ? `+${digits}` : digits);
  if (wanted.digits.length < FEWEST || digits.length > MOST) return null;
  const near = createNear(wanted);
  const is = (written: string) => near(written) && isThat(phoneOf(written), wanted);
  return (where) =>
    isSame(wanted, phoneOf(wholeNumber(where))) ||
    decodedTextsOf(where).some((text) => numbersIn(asciiDigits(text)).some(is));
}

/** Where a text is nothing else, it is what a task would take it for, however much is between its digits; else empty. */
function wholeNumber(text: string): string {
  const number = text.length <= LONGEST_NUMBER ? dialled(text) : "";
  return /^\+?\d+$/.test(number) ? number : "";
}

const isThat = (found: Phone, wanted: Phone) => isSame(wanted, found) || holds(found, wanted);

/** False for most that could not be `wanted`, at a glance: a text may have a hundred thousand groups of digits. */
function createNear(wanted: Phone): (written: string) => boolean {
  const nationals = CODE_LENGTHS.map((length) => withoutZeros(wanted.digits.slice(length)));
  const ends = nationals.filter((digits) => digits.length >= FEWEST);
  return (written) =>
    written.includes(wanted.digits) ||
    ends.some((digits) => written.endsWith(digits)) ||
    (wanted.isInternational && hasCode(written));
}

/**
 * In every grouping of a run, digits with a `+` or none: two numbers with a blank between them look like one. Takes no
 * longer than the text is.
 */
function* numbersIn(text: string): Generator<string> {
  /** What the next group may go on: few, for none has more than MOST digits. */
  let begun: string[] = [];
  let end = 0;
  for (const { 0: group, index } of text.matchAll(GROUP)) {
    const goesOn = !group.startsWith("+") && BETWEEN.test(text.slice(end, index));
    const longer = goesOn
      ? begun.map((digits) => digits + group).filter((digits) => digits.length <= MOST + Number(digits.startsWith("+")))
      : [];
    begun = [...longer, group];
    yield* begun;
    end = index + group.length;
  }
}

function phoneOf(written: string): Phone {
  return { digits: withoutZeros(written.replace("+", "")), isInternational: hasCode(written) };
}

const hasCode = (written: string) => written.startsWith("+") || written.startsWith("00");

function isSame(a: Phone, b: Phone): boolean {
  if (a.digits === b.digits) return true;
  if (isNationalOf(a, b) || isNationalOf(b, a)) return true;
  // The trunk's zero behind the country code: +44 (0)20…
  return CODE_LENGTHS.some((length) => {
    if (!a.isInternational || !b.isInternational || a.digits.slice(0, length) !== b.digits.slice(0, length))
      return false;
    return withoutZeros(a.digits.slice(length)) === withoutZeros(b.digits.slice(length));
  });
}

/** Whether `short` is `long` without its country code. */
function isNationalOf(long: Phone, short: Phone): boolean {
  const fewest = long.isInternational ? FEWEST : LONG_NATIONAL;
  if (short.isInternational || short.digits.length < fewest) return false;
  return CODE_LENGTHS.some((length) => withoutZeros(long.digits.slice(length)) === short.digits);
}

/** Within a longer run of digits, as in the name of a file. */
function holds(found: Phone, wanted: Phone): boolean {
  return wanted.digits.length >= LONG_NATIONAL && found.digits.includes(wanted.digits);
}

const withoutZeros = (digits: string) => digits.replace(/^0+/, "");
