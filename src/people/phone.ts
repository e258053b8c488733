// When two writings are one phone number, and where one stands in a text. A number is erased by it, so it finds every
// usual writing; and what it finds is gone, so a country code is guessed only where nothing else fits.
import { asciiDigits, LONGEST_NUMBER } from "../dialect/phoneText.ts";

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
/** Digits with what people write between them; a letter ends a number. */
const RUN = /\+?\d+(?:[^\p{L}\d]{1,3}\d+)*/gu;

/** Null: no number that could be a person's. A label of a line (A068) is none. */
export function createPhoneMatch(number: string): ((text: string) => boolean) | null {
  if (number.length > LONGEST_NUMBER) return null;
  const text = plain(number);
  if (!/^[\s(]*\+?[\d\s().\-/]+$/.test(text)) return null;
  const digits = text.replaceAll(/\D/g, "");
  const wanted = phoneOf(digits, text.includes("+"));
  if (wanted.digits.length < FEWEST || digits.length > MOST) return null;
  return (where) => phonesIn(plain(where)).some((found) => isSame(wanted, found) || holds(found, wanted));
}

/** In every grouping of a run: two numbers with a blank between them look like one. */
function phonesIn(text: string): Phone[] {
  return [...text.matchAll(RUN)].flatMap(([run]) => {
    const groups = [...run.matchAll(/(\+?)(\d+)/g)];
    return groups.flatMap(([, plus, first = ""], at) => {
      const found = [phoneOf(first, plus === "+")];
      let joined = first;
      for (const [, inner, next = ""] of groups.slice(at + 1)) {
        joined += next;
        if (inner === "+" || joined.length > MOST) break;
        found.push(phoneOf(joined, plus === "+"));
      }
      return found;
    });
  });
}

function phoneOf(digits: string, hasPlus: boolean): Phone {
  return { digits: withoutZeros(digits), isInternational: hasPlus || digits.startsWith("00") };
}

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

/** Digits of every script as ASCII, and those that JSON or a URL may have escaped. */
function plain(text: string): string {
  const unescaped = text.replaceAll(/\\u00(3\d)|%(3\d|2b)/gi, (_, json: string | undefined, url: string | undefined) =>
    String.fromCharCode(Number.parseInt(json ?? url ?? "", 16)),
  );
  return asciiDigits(unescaped);
}
