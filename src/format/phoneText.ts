// Normalises phone numbers: digits of any script, separators, the parts that are dialled, and letters that stand for digits.

/** In UTF-16 units, twice what a number with separators needs. Longer texts are not treated as phone numbers. */
export const MAX_PHONE_LENGTH = 64;

/** The zeros of all scripts except ASCII; nine digits follow each. A table is fast for texts with millions of digits. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
  0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0,
  0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x10d40, 0x11066, 0x110f0, 0x11136, 0x111d0,
  0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x116d0, 0x116da, 0x11730, 0x118e0, 0x11950, 0x11bf0, 0x11c50, 0x11d50,
  0x11da0, 0x11de0, 0x11f50, 0x16130, 0x16a60, 0x16ac0, 0x16b50, 0x16d70, 0x1ccf0, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec,
  0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e5f1, 0x1e950, 0x1fbf0,
];

const ASCII_BY_DIGIT: ReadonlyMap<string, string> = new Map(
  ZEROS.flatMap((zero) =>
    Array.from({ length: 10 }, (_, digit) => [String.fromCodePoint(zero + digit), String(digit)]),
  ),
);

/** Replaces the decimal digits of every script by ASCII digits. */
export function asciiDigits(text: string): string {
  return text.replaceAll(/(?!\d)\p{Nd}/gu, (digit) => ASCII_BY_DIGIT.get(digit) ?? digit);
}

/** The scheme of a number that was copied as a link. */
const SCHEME = /^[^a-zA-Z\d+]*tel\s*:/i;

/**
 * Two spellings of one number give the same text. Keeps only digits, Latin letters and a leading plus: all other characters are
 * separators. The number must not exceed MAX_PHONE_LENGTH.
 */
export function normalizePhone(number: string): string {
  if (/^\+?\d+$/.test(number)) return number;
  const text = asciiDigits(number.normalize("NFKC").replace(SCHEME, "")).replaceAll(/[^a-zA-Z\d+]/g, "");
  return text.replaceAll(/(?!^)\+|\+$/g, "").toLowerCase();
}

/** The letters on each key from 2 to 9. */
const KEYPAD = ["abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"];
/** North America: with 1 in front, or in an area of free calls. Seven signs follow the area, and more are not dialled. */
const IN_LETTERS =
  /^(?<prefix>\+?1[\s.-]*(?:[2-9]\d\d|\([2-9]\d\d\))|8(?:00|22|33|44|55|66|77|88)|\(8(?:00|22|33|44|55|66|77|88)\))[\s.-]*(?<local>(?!(?:extn?|x)[\s.-]*[x\d])[a-z2-9](?:[\s.-]*[a-z\d]){6,11})$/i;
const LOCAL_DIGITS = 7;
const MIN_LETTERS = 4;

/** The digits that the letters of a text stand for. */
export const keypadDigits = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => String(2 + KEYPAD.findIndex((key) => key.includes(letter.toLowerCase()))));

/** Reads a number in the letters of its keys, such as 1-800-FLOWERS. Null: the text is none. */
export function digitsOfLetters(text: string): string | null {
  const { prefix, local = "" } = IN_LETTERS.exec(text)?.groups ?? {};
  const all = local.replaceAll(/[^a-z\d]/gi, "");
  const signs = all.slice(0, LOCAL_DIGITS);
  // Only a word may be longer: digits behind it are those of another number.
  if (prefix === undefined || /\d/.test(all.slice(LOCAL_DIGITS)) || signs.replaceAll(/\d/g, "").length < MIN_LETTERS)
    return null;
  return prefix.replaceAll(/[^+\d]/g, "") + keypadDigits(signs);
}
