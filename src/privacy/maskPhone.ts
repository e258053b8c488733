// Masks phone numbers: a text that is a number (maskPhone), and the numbers in any other text (maskText). It finds digits of
// any script with anything but letters between them, and digits written as escapes (%2B, &#49;). schema/maskTextFields.ts
// decides which viewers get them masked.
import { digitsOfLetters } from "../format/phoneText.ts";
import { decodedTexts, decodedTextsWithPlaces, type DecodedText } from "./decodeEscapes.ts";

const MAX_SHOWN_AT_START = 4;
const SHOWN_AT_END = 4;
const MIN_HIDDEN = 4;
/** Shorter runs of digits are codes (SIP 48603) and counts. */
const MIN_DIGITS = 7;
/** In the label of a line, shorter runs of digits belong to the label (A068). */
const MIN_DIGITS_IN_LABEL = 5;
/** The body of a delivery is not prose: shorter runs of digits may be a number. */
const MIN_DIGITS_IN_BODY = 5;
const MIN_DIGITS_WITH_PLUS = 8;
/** A letter that looks like one. `ー` is a letter to Unicode and a dash to a reader, and some letters are blank. */
const LETTER = /[\p{L}--[\p{Lm}\p{Default_Ignorable_Code_Point}]]/v;
/** Also signs that read as a digit: ①, ¹, ⒈. */
const DIGIT = String.raw`[\p{Nd}\p{No}]`;
/** What may be between the digits of a number: anything but a letter that looks like one. */
const SEPARATOR = String.raw`[\P{L}\p{Lm}\p{Default_Ignorable_Code_Point}]`;
const RUN = new RegExp(`${DIGIT}(?:${SEPARATOR}*${DIGIT})?`, "gu");
const DIGITS = new RegExp(DIGIT, "gu");

/** Dates and times of day are not masked, although they have as many digits as a number. */
const DATE = String.raw`(?:19|20)\d\d(?<dash>[-\/.])[01]?\d\k<dash>[0-3]?\d`;
const CLOCK = String.raw`(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-6]\d(?:[.,]\d{1,6})?)?`;
const ZONE = String.raw`(?:\s?Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?`;
const TIME = new RegExp(
  `(?<!${DIGIT}|[.:\\/-])${DATE}(?:[T\\s]${CLOCK}${ZONE})?(?![-.\\/:]?${DIGIT})` +
    `|(?<!${DIGIT}|[.:])${CLOCK}(?![.:]?${DIGIT})`,
  "giu",
);

interface Span {
  from: number;
  to: number;
}

/** A part of the original text and what is shown instead of it. */
interface Masked extends Span {
  shown: string;
}

/** For a text that is a number or the label of a line. `+8613800010001` → `+8613****0001`; a label (`A068`) stays. `1-800-FLOWERS` → `1800****9377`. */
export function maskPhone(phone: string): string {
  const text = decodedTexts(phone).at(-1) ?? phone;
  const inLetters = digitsOfLetters(text.trim());
  if (inLetters !== null) return (inLetters.startsWith("+") ? "+" : "") + maskDigits(digitsIn(inLetters));
  if (LETTER.test(text)) return maskText(phone, MIN_DIGITS_IN_LABEL);
  const digits = digitsIn(text);
  const hasPlus = text.trim().startsWith("+") && digits.length >= MIN_DIGITS_WITH_PLUS;
  return (hasPlus ? "+" : "") + maskDigits(digits);
}

/** For the body of a delivery, in any format. */
export function maskBody(body: string): string {
  return maskText(body, MIN_DIGITS_IN_BODY);
}

/**
 * Masks each run of at least `minDigits` digits, in the text as it is and at each level of its escapes. A text without a
 * number is returned unchanged.
 */
export function maskText(text: string, minDigits = MIN_DIGITS): string {
  if (!mayHoldNumber(text, minDigits)) return text;
  let masked: Masked[] = [];
  for (const level of decodedTextsWithPlaces(text).toReversed())
    masked = mergeSpans(masked, numbersAt(level, minDigits));
  const parts: string[] = [];
  let copied = 0;
  for (const { from, to, shown } of masked) {
    parts.push(text.slice(copied, from), shown);
    copied = to;
  }
  return parts.join("") + text.slice(copied);
}

/** In order, with places in the original text. */
function numbersAt(level: DecodedText, minDigits: number): Masked[] {
  const { text } = level;
  const times = [...text.matchAll(TIME)].map(({ 0: time, index }) => ({ from: index, to: index + time.length }));
  const masked: Masked[] = [];
  let next = 0;
  for (const { 0: digits, index } of text.matchAll(RUN)) {
    const run = { from: index, to: index + digits.length };
    while (next < times.length && (times[next] as Span).to <= run.from) next += 1;
    for (const { from, to } of numbersIn(text, run, times, next, minDigits)) {
      const plus = isPlus(text[from - 1]) ? 1 : 0;
      const shown = (plus ? "+" : "") + maskDigits(digitsIn(text.slice(from, to)));
      masked.push({ from: level.begin(from - plus), to: level.end(to - 1), shown });
    }
  }
  return masked;
}

/**
 * `deeper` was found after more decoding of escapes than `shallower`. Both lists and the result are in order. Overlapping parts
 * become one, which shows the last part of `deeper`.
 */
function mergeSpans(deeper: readonly Masked[], shallower: readonly Masked[]): Masked[] {
  if (deeper.length === 0 || shallower.length === 0) return [...deeper, ...shallower];
  const all = [
    ...deeper.map((masked) => ({ masked, isDeeper: true })),
    ...shallower.map((masked) => ({ masked, isDeeper: false })),
  ];
  all.sort((a, b) => a.masked.from - b.masked.from);
  const list: Masked[] = [];
  for (const { masked, isDeeper } of all) {
    const last = list.at(-1);
    if (!last || masked.from >= last.to) {
      list.push(masked);
      continue;
    }
    const { shown } = isDeeper ? masked : last;
    list[list.length - 1] = { from: last.from, to: Math.max(last.to, masked.to), shown };
  }
  return list;
}

/** `13800010001` → `138****0001`; fewer than 8 digits: all `*`. */
function maskDigits(digits: readonly string[]): string {
  if (digits.length < SHOWN_AT_END + MIN_HIDDEN) return "*".repeat(digits.length);
  const start = Math.min(MAX_SHOWN_AT_START, digits.length - SHOWN_AT_END - MIN_HIDDEN);
  return `${digits.slice(0, start).join("")}****${digits.slice(-SHOWN_AT_END).join("")}`;
}

const digitsIn = (text: string): string[] => text.match(DIGITS) ?? [];

const isPlus = (character: string | undefined) => character === "+" || character === "＋";

/** The parts of a run to mask. Times are left out, unless fewer than `minDigits` digits stand beside them. */
function numbersIn(text: string, run: Span, times: readonly Span[], firstTime: number, minDigits: number): Span[] {
  const digitCount = ({ from, to }: Span) => digitsIn(text.slice(from, to)).length;
  if (digitCount(run) < minDigits) return [];
  const beside: Span[] = [];
  let from = run.from;
  for (let at = firstTime; at < times.length && (times[at] as Span).from < run.to; at += 1) {
    const time = times[at] as Span;
    beside.push({ from, to: time.from });
    from = time.to;
  }
  if (beside.length === 0) return [run];
  beside.push({ from, to: run.to });
  const trimmed = beside.flatMap((span) => trimSpan(text, span));
  if (trimmed.length === 0) return [];
  const count = trimmed.reduce((sum, span) => sum + digitCount(span), 0);
  return count >= minDigits ? trimmed : [run];
}

/** From the first digit to the last; nothing where there is none. */
function trimSpan(text: string, { from, to }: Span): Span[] {
  const found = to > from ? [...text.slice(from, to).matchAll(RUN)] : [];
  const [first, last] = [found[0], found.at(-1)];
  return first && last ? [{ from: from + first.index, to: from + last.index + last[0].length }] : [];
}

/** A cheap first check, because most texts hold no number. Digits of other scripts and escapes count as possible digits. */
function mayHoldNumber(text: string, minDigits: number): boolean {
  let left = minDigits;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code >= 0x30 && code <= 0x39) || code > 0x7f) left -= 1;
    if (left === 0 || code === PERCENT || code === AMPERSAND || code === BACKSLASH) return true;
  }
  return false;
}

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;
