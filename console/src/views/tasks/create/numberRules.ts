// The gateway's rules for phone numbers, applied before anything is sent, and stricter ones: a person's number is digits.
export type NumberProblem = "empty" | "tooLong" | "rounded" | "noNumber" | "digits" | "duplicate";

const MAX_LENGTH = 64;
const [LEAST_DIGITS, MOST_DIGITS] = [3, 20];
const SCHEME = /^[^a-zA-Z\d+]*tel\s*:/i;
/** What a spreadsheet makes of a long number: 1.38E+10. */
const ROUNDED = /^\s*\d[.,]\d+E\+?\d+\s*$/i;
const UNPRINTABLE = /[^\P{Cc}\s]|\p{Cs}/u;

/** Two spellings of one number give the same text, as the gateway compares them. */
export function normalizeNumber(number: string): string {
  if (/^\+?\d+$/.test(number)) return number;
  const text = asciiDigits(number.normalize("NFKC").replace(SCHEME, "")).replaceAll(/[^a-zA-Z\d+]/g, "");
  return text.replaceAll(/(?!^)\+|\+$/g, "").toLowerCase();
}

/** Decimal digits stand together by tens, so the ones before it tell a digit's value. */
function asciiDigits(text: string): string {
  return text.replaceAll(/(?!\d)\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let before = 0;
    while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before += 1;
    return String(before % 10);
  });
}

/** Null for a number that can be called. `same`: the normalised text. */
export function problemOf(written: string, same: string): NumberProblem | null {
  if (written === "") return "empty";
  if (written.length > MAX_LENGTH) return "tooLong";
  if (ROUNDED.test(written)) return "rounded";
  if (UNPRINTABLE.test(written) || !/^\+?\d+$/.test(same)) return "noNumber";
  const digits = same.replace("+", "").length;
  return digits < LEAST_DIGITS || digits > MOST_DIGITS ? "digits" : null;
}
