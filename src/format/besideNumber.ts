// Tells digits beside a phone number from its own: the mark of a list (2. 138…), a floor (138… 2楼), the label of a column (Mobile2 138…).
// Joined to the number, they would call somebody else.
import { splitCountryCode } from "./countryCode.ts";

/** Between two digits of one number. */
const SEPARATED = /^[\d\s+().\-/·•・∙‧]*$/;
/** 138:0001:0001: short groups with the same sign between them. */
const SHORT_GROUPS = /^\+?\d{1,4}([:,;|=_~\\'’⁄∕\u2800])\d{3,4}(?:\1\d{3,4})+$/;
const MAX_SHORT_GROUPS = 11;
/** Signs that stand around an area code as ( and ) do: [021]12345678. */
const BRACKETS = /^(?:\[\d{2,4}\]|\{\d{2,4}\}|<\d{2,4}>|【\d{2,4}】|〔\d{2,4}〕|「\d{2,4}」)/;
/** The first group, and what is behind it. */
const FIRST = /^\(?(?<first>\d{1,6})(?<divider>[^\d(]+)(?<rest>\(?\d.*)$/;
/** The last group, and what is before it. */
const LAST = /^(?<before>.*\d\)?)(?<divider>[^\d)]+)\(?\d{1,6}\)?$/;
/** A mark of a list: `2)` and `2. `. */
const LIST_MARK = /^(?:\)|\.\s)/;
const CHINESE_MOBILE = /^1[3-9]\d{9}$/;
/** Country codes, and 8 for calls within Russia, that ten digits follow. */
const SHORT_PREFIXES = ["1", "7", "8"];

interface Core {
  /** What stands directly before and after the digits. */
  head: string;
  core: string;
  tail: string;
}

/** Whether digits of the text may belong to no number. */
export function holdsOtherDigits({ head, core, tail }: Core): boolean {
  const text = core.trim().replace(BRACKETS, (area) => `(${area.slice(1, -1)})`);
  const mark = /^[^\d+(]*/.exec(text)?.[0] ?? "";
  const digits = text.slice(mark.length).replace(/[^\d)]+$/, "");
  if (!SEPARATED.test(digits) && !isShortGroups(digits)) return true;
  const isMarked = /[\p{L}.#]$/u.test(head + mark);
  return isAfterOther(digits, isMarked) || isBeforeOther(digits, /^\p{L}/u.test(tail));
}

const isShortGroups = (text: string) => SHORT_GROUPS.test(text) && digitsOf(text).length <= MAX_SHORT_GROUPS;

/** `isMarked`: a word or a sign adjoins the digits, as in Mobile2 and #2. */
function isAfterOther(text: string, isMarked: boolean): boolean {
  const { first = "", divider = "", rest = "" } = FIRST.exec(text)?.groups ?? {};
  const digits = digitsOf(rest);
  const isListed = LIST_MARK.test(divider) && !text.startsWith("(");
  if (digits.length < MIN_WHOLE) return (isListed || isMarked) && /^[1-9]\d?$/.test(first) && endsWhole(rest);
  if (isListed || first.startsWith("0")) return isListed;
  if (isMarked) return true;
  if (SHORT_PREFIXES.includes(first)) return digits.length !== MIN_WHOLE;
  return splitCountryCode(first + digits)?.code !== first;
}

/** `isMarked`: a word adjoins the digits, as in 2楼. */
function isBeforeOther(text: string, isMarked: boolean): boolean {
  const { before = "", divider = "" } = LAST.exec(text)?.groups ?? {};
  if (isMarked) return endsWhole(before);
  if (CHINESE_MOBILE.test(digitsOf(before))) return true;
  return divider === "." && !before.includes(".") && endsWhole(before);
}

const MIN_WHOLE = 10;

/** Whether what is before a cut may be a whole number: by its digits, by its last group, or as a local number of two groups. */
export function endsWhole(text: string): boolean {
  if (/\d{7,}\)?$/.test(text) || /^\(?\d{3,4}[-.\s]\d{4}\)?$/.test(text)) return true;
  return digitsOf(text).length >= (/^\(?0(?!0)/.test(text) ? MIN_WHOLE + 1 : MIN_WHOLE);
}

/** What a text may be without its first groups, where a whole number stands behind them. */
export function numbersAfterGroups(text: string): string[] {
  const behind = Array.from(text.matchAll(/\d[^\d]+(?=\d)/g), ({ 0: group, index }) =>
    text.slice(index + group.length),
  );
  return behind.filter((part) => digitsOf(part).length >= MIN_WHOLE);
}

/** Two local numbers, whose groups are alike: 555-0123 555-0124. */
export function areTwoLocals(text: string): boolean {
  const groups = text.trim().split(/\s+/);
  const [one, other] = [groups.slice(0, groups.length / 2), groups.slice(groups.length / 2)].map((half) =>
    half.join(" ").replaceAll(/\d/g, "0"),
  );
  return groups.length % 2 === 0 && one === other && digitsOf(one).length >= MIN_LOCAL;
}

const MIN_LOCAL = 7;

const digitsOf = (text = "") => text.replaceAll(/\D/g, "");
