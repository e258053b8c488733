// The gateway's reader of phone numbers (docs/creating-tasks.md), stricter and in short: a person's number is digits in usual groups,
// without anything beside it. What the page accepts the gateway reads as the same number; test/console/checkTable.test.ts compares them.
export type NumberProblem = "empty" | "tooLong" | "rounded" | "noNumber" | "unclear" | "digits" | "duplicate";

const MAX_LENGTH = 64;
const [LEAST_DIGITS, MOST_DIGITS] = [3, 15];
const SCHEME = /^tel:\s*/i;
/** What a spreadsheet makes of a long number: 1.38E+10. */
const ROUNDED = /^\d+(?:[.,]\d+)?E\+?\d+$/i;
const UNPRINTABLE = /[^\P{Cc}\s]|\p{Cs}/u;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const DASH = /[\p{Pd}\u2212\u02d7\u2043\u2500]|(?<=\d)ー/gu;
/** The marks of a spreadsheet and of quotes around a cell. */
const MARKS = /^[=`´'‘’‛′"“”„‟″«»‹›「」『』\s]+|["'‘’‚‛“”„‟′″«»‹›「」『』\s]+$/gu;
const DECIMALS = /^(\+?\d{5,})[.,]0*$/;

/** How a number is written: in one piece, or in short groups, with an area code in brackets. */
const GROUPS = [
  /^\+?\d+$/,
  /^\+?\d{1,5}(?: \d{1,5})+$/,
  /^\+?\d{1,6}(?:-\d{2,6})+$/,
  /^\+?\d{2}(?:\.\d{2})+$/,
  /^(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}$/,
  /^(?:\+\d{1,3} )?\d{3} \d{3,4}-\d{4}$/,
  /^(?:\+?\d ?)?\(?\d{3}\)? \d{3}-\d\d-\d\d$/,
  /^(?:\+\d{1,3} ?)?\(\d{2,5}\) ?\d{3,8}$/,
  /^(?:\+\d{1,3} ?)?\(\d{2,5}\) ?\d{3,4}[ -]\d{3,4}$/,
];
const YEAR = String.raw`(?:19|20)\d\d`;
const DATE = new RegExp(
  `^${YEAR}-\\d{1,2}-\\d{1,2}$|^\\d{1,2}-\\d{1,2}-${YEAR}$|^${YEAR}[01]\\d[0-3]\\d[0-2]\\d[0-5]\\d[0-5]\\d$`,
);
/** An amount, 12345678.50, or an address, 10.11.12.13. */
const OTHER = /^\+?\d+\.\d\d$|^\d\d(?:\.\d\d){3}$/;

/** Without marks and decimals, in ASCII digits. */
function bareText(written: string): string {
  const plain = asciiDigits(written.normalize("NFKC")).replaceAll(INVISIBLE, "").replaceAll(DASH, "-");
  return plain.replaceAll(MARKS, "").replace(SCHEME, "").replace(DECIMALS, "$1").trim();
}

/** The digits of a number, by which two writings are compared, as they are sent. */
export function normalizeNumber(written: string): string {
  const bare = written.length > MAX_LENGTH ? "" : bareText(written);
  return bare.replaceAll(/[^+\d]/g, "").replace(/^00(?=[1-9]\d{7})/, "+");
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

/** Null for a number that can be called. */
export function problemOf(written: string): NumberProblem | null {
  if (written === "") return "empty";
  if (written.length > MAX_LENGTH) return "tooLong";
  const bare = bareText(written);
  if (ROUNDED.test(bare)) return "rounded";
  if (UNPRINTABLE.test(written) || !/\d/.test(bare) || DATE.test(bare) || OTHER.test(bare)) return "noNumber";
  if (!GROUPS.some((group) => group.test(bare))) return /\d(?:\D*\d){6}/.test(bare) ? "unclear" : "noNumber";
  const digits = bare.replaceAll(/\D/g, "").length;
  return digits < LEAST_DIGITS || digits > MOST_DIGITS ? "digits" : null;
}
