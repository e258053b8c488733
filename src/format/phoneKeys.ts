// The forms of a phone number by which a list of numbers is kept and searched. Two numbers that privacy/phoneMatcher.ts takes for the same
// one have a common form, whether or not they are written with their country code. A list by exact keys cannot compare each
// entry with each number, so the form leaves the country code out.
import { numbersAfterGroups } from "./besideNumber.ts";
import { nationalNumber, plainForms } from "./countryCode.ts";
import { possibleDigits, possibleNumbers } from "./possibleNumbers.ts";
import { numbersBeforeGroups } from "./phoneExtension.ts";
import { MAX_PHONE_LENGTH, keypadDigits, normalizePhone } from "./phoneText.ts";
import { withoutMarks } from "./phoneMarks.ts";
import { MIN_NUMBER_DIGITS, noPhoneMessages, readPhone, type PhoneReading } from "./readPhone.ts";

const MAX_DIGITS = 20;
/** A shorter number without `+` is national. A longer one begins with a country code. */
const MIN_WITH_COUNTRY_CODE = 12;
/** The country codes with one digit: with them, a number of ten digits is not longer than national numbers are. */
const SHORT_CODES = ["1", "7"];
const LONG_NATIONAL = 10;

/** The form by which an entry is kept. Null: the text is not a phone number of 7 to 15 digits, such as the label of a line. */
export function storedPhoneKey(text: string): string | null {
  const digits = readKnown(text)?.digits;
  return digits ? keyOf(digits) : null;
}

/** A number that is read, and its digits. Null: the text is not a phone number of 7 to 15 digits. */
function readKnown(text: string): { number: string; digits: Digits } | null {
  const reading = readPhone(text);
  const digits = reading.kind === "number" ? readDigits(reading.number) : null;
  return reading.kind === "number" && digits ? { number: reading.number, digits } : null;
}

/** Why a text has no key. Follows the name of the field that it stands in. */
export function noKeyMessage(text: string): string {
  const reading = readPhone(text);
  return reading.kind === "none" ? noPhoneMessages[reading.reason] : "must be a phone number of 7 to 15 digits";
}

/**
 * The forms of an entry that is added or removed. With something beside the number also that of the whole text: what looks like an
 * extension may be its last digits, and earlier versions kept it so. Where the number may begin with its country code, as 33612345678
 * does, also that without the code, with a mark: to remove it must not remove another person's entry. None: the text is not a phone
 * number.
 */
export function enteredPhoneKeys(text: string): string[] {
  const known = readKnown(text);
  if (!known) return [];
  const whole = readDigits(dialledText(text));
  const { plain, national } = countryKeysOf(known.number);
  const own = new Set([keyOf(known.digits), ...(whole ? [keyOf(whole)] : []), ...plain]);
  return [...own, ...national.filter((each) => !own.has(each)).map(guessed)];
}

const guessed = (key: string) => `?${key}`;

/**
 * The number in each country that it may be of: `national` without the country code, `plain` without the prefixes of the country. The
 * code 1 is left to searchedKeysOf: with it, each Chinese mobile number would have two entries.
 */
function countryKeysOf(number: string): { plain: string[]; national: string[] } {
  const numbers = possibleNumbers(number);
  const isDialledAbroad = number.startsWith("0");
  const coded = numbers.filter(({ code }) => code !== null && (code !== "1" || isDialledAbroad));
  const nationalOf = ({ national }: { national: string }) => national;
  return { plain: numbers.flatMap(plainForms).map(nationalOf), national: coded.map(nationalOf) };
}

/**
 * The forms by which an entry may be kept that this number must not be called for. They include those for which it is not known whether
 * the number begins with its country code: 33612345678 may be +33 612345678. A trunk prefix may stand for that code: 8 916 123 45 67 is
 * +7 916 123 45 67. Also of each number that the text may hold beside others, an extension or a dial prefix: the service may dial one
 * part alone. The never-call list had better refuse one number too many than call one that it holds.
 */
export function possiblePhoneKeys(text: string): string[] {
  if (text.length > MAX_PHONE_LENGTH) return [];
  const reading = readPhone(text);
  const dialled = new Set(possibleTexts(text, reading).map(dialledText));
  // An entry with a country code, such as +376 312345, is kept without it.
  const short = reading.kind === "number" && SHORT_NUMBER.test(reading.number) ? [reading.number] : [];
  const keys = new Set([...short, ...[...dialled].flatMap(possibleKeysOf)]);
  return [...keys, ...[...keys].map(guessed)];
}

const SHORT_NUMBER = /^[1-9]\d{3,5}$/;

function possibleKeysOf(dialled: string): string[] {
  const digits = readDigits(dialled);
  if (!digits) return [];
  return [...searchedKeysOf(digits), digits.digits, ...possibleNumbers(dialled).flatMap(possibleDigits)];
}

/** What divides a number from an extension, a prefix of the network, another number, or a word beside it. */
const DIVIDERS = /[\p{L}*#,;/|&、\r\n\t]+/u;

/** The number that is read, the text as a whole, its parts, and the digits that its letters stand for: +1 800 FLOWERS. */
function possibleTexts(text: string, reading: PhoneReading): string[] {
  const read = reading.kind === "number" ? [reading.number, reading.dialled] : [];
  if (/^\+?\d+$/.test(text)) return [...read, text];
  const bare = withoutMarks(text);
  const beforeBrackets = numbersBeforeBrackets(bare);
  const texts = [...read, text, ...numbersBeforeGroups(bare), ...numbersAfterGroups(bare), ...beforeBrackets];
  if (!DIVIDERS.test(bare)) return texts;
  const keyed = keypadDigits(bare);
  const parts = [bare, ...beforeBrackets].flatMap((part) => part.split(DIVIDERS));
  const shorter = parts.flatMap((part) => numbersBeforeGroups(part.trim()));
  return [...texts, ...parts, ...shorter, keyed];
}

/** What a text may be without a bracket and all behind it, such as 021-12345678(20, where a whole number stands before it. */
function numbersBeforeBrackets(text: string): string[] {
  const before = Array.from(text.matchAll(/\(/g), ({ index }) => text.slice(0, index));
  return before.filter((part) => normalizePhone(part).length >= MIN_NUMBER_DIGITS);
}

/** The whole text as digits, whatever stands between them. */
const dialledText = (text: string) => (text.length > MAX_PHONE_LENGTH ? "" : normalizePhone(text.trim()));

interface Digits {
  /** Without leading zeros. */
  digits: string;
  isInternational: boolean;
}

function readDigits(dialled: string): Digits | null {
  const digits = dialled.replace(/^\+?0*/, "");
  const isNumber = /^\+?\d+$/.test(dialled) && digits.length >= MIN_NUMBER_DIGITS && digits.length <= MAX_DIGITS;
  return isNumber ? { digits, isInternational: /^(?:\+|00)/.test(dialled) } : null;
}

function searchedKeysOf(digits: Digits): string[] {
  const key = keyOf(digits);
  if (key.length === LONG_NATIONAL) return [key, ...SHORT_CODES.map((code) => code + key)];
  const hasShortCode = key.length === LONG_NATIONAL + 1 && SHORT_CODES.includes(key.charAt(0));
  return hasShortCode ? [key, key.slice(1).replace(/^0+/, "")] : [key];
}

function keyOf({ digits, isInternational }: Digits): string {
  if (!isInternational && digits.length < MIN_WITH_COUNTRY_CODE) return digits;
  return nationalNumber(digits) ?? digits;
}
