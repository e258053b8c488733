// The forms of a phone number by which a list of numbers is kept and searched. Two numbers that privacy/phoneMatcher.ts takes for the same
// one have a common form, whether or not they are written with their country code. A list by exact keys cannot compare each
// entry with each number, so the form leaves the country code out.
import { nationalNumber } from "./countryCode.ts";
import { asciiDigits, MAX_PHONE_LENGTH, normalizePhone } from "./phoneText.ts";

const MIN_DIGITS = 7;
const MAX_DIGITS = 20;
/** A shorter number without `+` is national. A longer one begins with a country code. */
const MIN_WITH_COUNTRY_CODE = 12;
/** The country codes with one digit: with them, a number of ten digits is not longer than national numbers are. */
const SHORT_CODES = ["1", "7"];
const LONG_NATIONAL = 10;

/** The form by which an entry is kept. Null: the text is not a phone number of 7 to 20 digits, such as the label of a line. */
export function storedPhoneKey(number: string): string | null {
  const phone = readPhone(number);
  return phone && keyOf(phone);
}

/** All forms by which an entry for this number may be kept; none if the text is not a phone number. */
export function searchedPhoneKeys(number: string): string[] {
  const phone = readPhone(number);
  if (!phone) return [];
  const key = keyOf(phone);
  if (key.length === LONG_NATIONAL) return [key, ...SHORT_CODES.map((code) => code + key)];
  const hasShortCode = key.length === LONG_NATIONAL + 1 && SHORT_CODES.includes(key.charAt(0));
  return hasShortCode ? [key, key.slice(1).replace(/^0+/, "")] : [key];
}

/**
 * The same, and the forms for which it is not known whether the number begins with its country code: 33612345678 may be
 * +33 612345678. Also of a number with other text beside it, such as an extension: the service may dial the number alone. The
 * never-call list asks so, because it had better refuse one number too many than call one that it holds.
 */
export function possiblePhoneKeys(number: string): string[] {
  if (number.length > MAX_PHONE_LENGTH) return [];
  const texts = possibleTexts(number);
  return [...new Set([...texts, ...texts.flatMap(withPlus)].flatMap(possibleKeysOf))];
}

/** A number as it is dialled from a country whose prefix for calls abroad is 011 or 0011. */
function withPlus(text: string): string[] {
  const [, international] = (text.includes("11") && /^00?11(\d+)$/.exec(normalizePhone(text))) || [];
  return international === undefined ? [] : [`+${international}`];
}

function possibleKeysOf(text: string): string[] {
  const phone = readPhone(text);
  if (!phone) return [];
  const national = nationalNumber(phone.digits) ?? "";
  const own = [...searchedPhoneKeys(text), phone.digits];
  return national.length < MIN_DIGITS ? own : [...own, national];
}

/** What divides a number from an extension, a prefix of the network, or a word beside it. */
const DIVIDERS = /[a-z*#,;]+/i;
/** The letters on each key from 2 to 9. */
const KEYPAD = ["abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"];

/** The text, its parts between words and signs, and the digits that its letters stand for: +1 800 FLOWERS is +1 800 3569377. */
function possibleTexts(text: string): string[] {
  const written = text.normalize("NFKC");
  if (!DIVIDERS.test(written)) return [text];
  const dialled = written.replaceAll(/[a-z]/gi, (letter) => String(keyOfLetter(letter.toLowerCase())));
  return [text, ...asciiDigits(written).split(DIVIDERS), dialled];
}

const keyOfLetter = (letter: string) => 2 + KEYPAD.findIndex((letters) => letters.includes(letter));

interface Phone {
  /** Without leading zeros. */
  digits: string;
  isInternational: boolean;
}

function readPhone(number: string): Phone | null {
  if (number.length > MAX_PHONE_LENGTH) return null;
  const text = normalizePhone(number.trim());
  const digits = text.replace(/^\+?0*/, "");
  if (!/^\+?\d+$/.test(text) || digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) return null;
  return { digits, isInternational: /^(?:\+|00)/.test(text) };
}

function keyOf({ digits, isInternational }: Phone): string {
  if (!isInternational && digits.length < MIN_WITH_COUNTRY_CODE) return digits;
  return nationalNumber(digits) ?? digits;
}
