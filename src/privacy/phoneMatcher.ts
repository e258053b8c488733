// Decides whether two texts are the same phone number, and whether a text holds a number. Erasing relies on it: it finds
// every usual way to write a number, and guesses a country code only where nothing else fits, because a match is erased.
import { MAX_PHONE_LENGTH, asciiDigits, digitsOfLetters, normalizePhone } from "../format/phoneText.ts";
import { areOneByPrefixes } from "../format/possibleNumbers.ts";
import { noPhoneMessages, readPhone } from "../format/readPhone.ts";
import { decodedCompleteEscapes, decodedTexts } from "./decodeEscapes.ts";

interface Phone {
  /** With `+` where it begins with a country code. */
  written: string;
  /** ASCII, without leading zeros. */
  digits: string;
  /** Written with `+` or `00`: it begins with a country code. */
  isInternational: boolean;
}

const MIN_DIGITS = 7;
const MAX_DIGITS = 20;
const COUNTRY_CODE_LENGTHS = [1, 2, 3];
/** A national number of this length is complete, also where the other number does not say that it has a country code. */
const LONG_NATIONAL = 10;
/** All writings of a number end with the same digits. */
const SAME_END = 6;
const GROUP = /\+?\d+/g;
/** May be between two groups of a number: anything but a letter that looks like one. */
const SEPARATOR = /^(?:[^\p{L}\d]|\p{Lm}|\p{Default_Ignorable_Code_Point}){1,3}$/u;
const PLUS_IN_FORM = /(?<=\d)\+(?=\d)/g;

/**
 * Returns a test whether a text holds the number, in any usual writing. Null where `number` is not a phone number; the
 * label of a line (A068) is not one, and one with an extension would erase the calls of all that share it.
 */
export function createPhoneMatcher(number: string): ((text: string) => boolean) | null {
  if (number.length > MAX_PHONE_LENGTH) return null;
  const reading = readPhone(number);
  if (reading.kind !== "number" || reading.extension !== null) return null;
  const wanted = phoneOf(reading.number);
  if (wanted.digits.length < MIN_DIGITS) return null;
  const mayMatch = createQuickCheck(wanted);
  const matches = (candidate: string) => mayMatch(candidate) && isSameOrContains(phoneOf(candidate), wanted);
  return (text) =>
    wholeNumbers(text).some((whole) => isSame(wanted, phoneOf(whole))) ||
    searchedTexts(text).some((searched) => candidatesIn(searched).some(matches));
}

/** Why there is no matcher for a text. Follows the name of the field that it stands in. */
export function noErasureMessage(number: string): string {
  const reading = readPhone(number);
  if (reading.kind === "none") return noPhoneMessages[reading.reason];
  if (reading.kind === "number" && reading.extension !== null)
    return "has an extension, and the calls of all who share the number would be erased: give the number alone";
  return "must be a phone number of 7 to 15 digits and at most 64 characters, not the label of a line";
}

/** Every level of the text's escapes. In a form a `+` is a blank, so such a text is searched in both ways. */
function searchedTexts(text: string): string[] {
  return [...decodedTexts(text), ...decodedCompleteEscapes(text)].flatMap((decoded) => {
    const ascii = asciiDigits(decoded);
    const ofForm = ascii.replaceAll(PLUS_IN_FORM, " ");
    return ofForm === ascii ? [ascii] : [ascii, ofForm];
  });
}

/** A text that is one number: whatever separates its digits, and as task creation reads it, without the prefix of a network. */
function wholeNumbers(text: string): string[] {
  if (text.length > MAX_PHONE_LENGTH) return [];
  const digits = normalizePhone(text);
  if (!/^\+?\d+$/.test(digits)) {
    const inLetters = digitsOfLetters(digits);
    return inLetters === null ? [] : [inLetters];
  }
  const reading = readPhone(text);
  return reading.kind === "number" && reading.number !== digits ? [digits, reading.number] : [digits];
}

const isSameOrContains = (found: Phone, wanted: Phone) => isSame(wanted, found) || contains(found, wanted);

/** Rejects most candidates without allocation: a text may have a hundred thousand groups of digits. */
function createQuickCheck(wanted: Phone): (candidate: string) => boolean {
  const end = wanted.digits.slice(-SAME_END);
  return (candidate) =>
    candidate.includes(wanted.digits) ||
    candidate.endsWith(end) ||
    (wanted.isInternational && hasCountryCode(candidate));
}

/**
 * Every way to join adjacent groups of digits, with a leading `+` where one is written: two numbers with a blank between
 * them look like one. The work is proportional to the length of the text.
 */
function* candidatesIn(text: string): Generator<string> {
  /** Candidates that the next group may continue: few, because none has more than MAX_DIGITS digits. */
  let open: string[] = [];
  let end = 0;
  for (const { 0: group, index } of text.matchAll(GROUP)) {
    const continues = !group.startsWith("+") && SEPARATOR.test(text.slice(end, index));
    const longer = continues
      ? open
          .map((digits) => digits + group)
          .filter((digits) => digits.length <= MAX_DIGITS + Number(digits.startsWith("+")))
      : [];
    open = [...longer, group];
    yield* open;
    end = index + group.length;
  }
}

function phoneOf(written: string): Phone {
  return { written, digits: withoutZeros(written.replace("+", "")), isInternational: hasCountryCode(written) };
}

const hasCountryCode = (written: string) => written.startsWith("+") || written.startsWith("00");

function isSame(a: Phone, b: Phone): boolean {
  if (a.digits === b.digits) return true;
  if (isNationalOf(a, b) || isNationalOf(b, a)) return true;
  const isLong = Math.min(a.digits.length, b.digits.length) >= LONG_NATIONAL;
  if (isLong && areOneByPrefixes(a.written, b.written)) return true;
  // The trunk zero may follow the country code: +44 (0)20…
  return COUNTRY_CODE_LENGTHS.some((length) => {
    if (!a.isInternational || !b.isInternational || a.digits.slice(0, length) !== b.digits.slice(0, length))
      return false;
    return withoutZeros(a.digits.slice(length)) === withoutZeros(b.digits.slice(length));
  });
}

/** Whether `short` is `long` without its country code. */
function isNationalOf(long: Phone, short: Phone): boolean {
  const minDigits = long.isInternational ? MIN_DIGITS : LONG_NATIONAL;
  if (short.isInternational || short.digits.length < minDigits) return false;
  return COUNTRY_CODE_LENGTHS.some((length) => withoutZeros(long.digits.slice(length)) === short.digits);
}

/** Within a longer run of digits, as in the name of a file. */
function contains(found: Phone, wanted: Phone): boolean {
  return wanted.digits.length >= LONG_NATIONAL && found.digits.includes(wanted.digits);
}

const withoutZeros = (digits: string) => digits.replace(/^0+/, "");
