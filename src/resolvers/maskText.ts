// Masks the phone numbers in a text, however they are written: digits of any script, whatever stands between them but a
// letter, and escapes of JSON, URLs and HTML.
import { readingsOf, type Reading } from "./readEscapes.ts";

const SHOWN_AT_START = 4;
const SHOWN_AT_END = 4;
const HIDDEN_AT_LEAST = 4;
/** Shorter runs of digits are codes (SIP 48603) and counts. */
const SHORTEST_NUMBER = 7;
/** Also what is read as a digit: ①, ¹, ⒈. */
const DIGIT = String.raw`[\p{Nd}\p{No}]`;
/** No letter. `ー` is one to Unicode and a dash to a reader, and some letters are blank. */
const MARK = String.raw`[\P{L}\p{Lm}\p{Default_Ignorable_Code_Point}]`;
const RUN = new RegExp(`${DIGIT}(?:${MARK}*${DIGIT})?`, "gu");
const DIGITS = new RegExp(DIGIT, "gu");

/** A date and a time of day, as people and programs write them: the only digits in a row that are no number. */
const DATE = String.raw`(?:19|20)\d\d(?<mark>[-\/.])[01]?\d\k<mark>[0-3]?\d`;
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

/** What is written in the place of a part of the text. */
interface Masked extends Span {
  text: string;
}

/**
 * A text without a number is returned as it is. `shortest`: so many digits are a number. What is a number only before
 * its escapes are read, or only afterwards, is masked too.
 */
export function maskText(text: string, shortest = SHORTEST_NUMBER): string {
  if (!mayHoldNumber(text, shortest)) return text;
  let masked: Masked[] = [];
  // What the deepest reading says is shown.
  for (const reading of readingsOf(text).toReversed()) masked = joined(masked, maskedIn(reading, shortest));
  const parts: string[] = [];
  let taken = 0;
  for (const { from, to, text: shown } of masked) {
    parts.push(text.slice(taken, from), shown);
    taken = to;
  }
  return parts.join("") + text.slice(taken);
}

/** In order, with places in the text itself. */
function maskedIn(reading: Reading, shortest: number): Masked[] {
  const { text } = reading;
  const times = [...text.matchAll(TIME)].map(({ 0: time, index }) => ({ from: index, to: index + time.length }));
  const masked: Masked[] = [];
  let next = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const whole = { from: index, to: index + run.length };
    while (next < times.length && (times[next] as Span).to <= whole.from) next += 1;
    for (const { from, to } of numbersIn(text, whole, times, next, shortest)) {
      const plus = isPlus(text[from - 1]) ? 1 : 0;
      const shown = (plus ? "+" : "") + maskDigits(digitsIn(text.slice(from, to)));
      masked.push({ from: reading.begin(from - plus), to: reading.end(to - 1), text: shown });
    }
  }
  return masked;
}

/** Both in order. Where two overlap, the first of `deeper` is written in the place of both. */
function joined(deeper: readonly Masked[], plainer: readonly Masked[]): Masked[] {
  if (deeper.length === 0 || plainer.length === 0) return [...deeper, ...plainer];
  const all = [
    ...deeper.map((masked) => ({ masked, isDeeper: true })),
    ...plainer.map((masked) => ({ masked, isDeeper: false })),
  ];
  all.sort((a, b) => a.masked.from - b.masked.from);
  const list: { masked: Masked; isDeeper: boolean }[] = [];
  for (const { masked, isDeeper } of all) {
    const last = list.at(-1);
    if (!last || masked.from >= last.masked.to) {
      list.push({ masked, isDeeper });
      continue;
    }
    const text = last.isDeeper || !isDeeper ? last.masked.text : masked.text;
    const to = Math.max(last.masked.to, masked.to);
    list[list.length - 1] = { masked: { from: last.masked.from, to, text }, isDeeper: last.isDeeper || isDeeper };
  }
  return list.map(({ masked }) => masked);
}

/** `13800010001` → `138****0001`; fewer than 8 digits: all `*`. */
export function maskDigits(digits: readonly string[]): string {
  if (digits.length < SHOWN_AT_END + HIDDEN_AT_LEAST) return "*".repeat(digits.length);
  const start = Math.min(SHOWN_AT_START, digits.length - SHOWN_AT_END - HIDDEN_AT_LEAST);
  return `${digits.slice(0, start).join("")}****${digits.slice(-SHOWN_AT_END).join("")}`;
}

/** The digits of a text, one character each. */
export const digitsIn = (text: string): string[] => text.match(DIGITS) ?? [];

const isPlus = (character: string | undefined) => character === "+" || character === "＋";

/** The parts of a run that are to be masked. Times in it are left out, unless only a few digits stand beside them. */
function numbersIn(text: string, run: Span, times: readonly Span[], first: number, shortest: number): Span[] {
  const isNumber = ({ from, to }: Span) => digitsIn(text.slice(from, to)).length >= shortest;
  const begin = times[first];
  if (!isNumber(run)) return [];
  if (!begin || begin.from >= run.to) return [run];
  const beside: Span[] = [];
  let from = run.from;
  for (let at = first; at < times.length && (times[at] as Span).from < run.to; at += 1) {
    const time = times[at] as Span;
    beside.push({ from, to: time.from });
    from = time.to;
  }
  beside.push({ from, to: run.to });
  const trimmed = beside.flatMap((span) => trim(text, span));
  if (trimmed.length === 0) return [];
  const count = trimmed.reduce((sum, span) => sum + digitsIn(text.slice(span.from, span.to)).length, 0);
  return count >= shortest ? trimmed : [run];
}

/** From the first digit to the last; nothing where there is none. */
function trim(text: string, { from, to }: Span): Span[] {
  const found = to > from ? [...text.slice(from, to).matchAll(RUN)] : [];
  const [first, last] = [found[0], found.at(-1)];
  return first && last ? [{ from: from + first.index, to: from + last.index + last[0].length }] : [];
}

/** Cheap, for most texts hold none. What is escaped needs digits too, but for a few letters of a script. */
function mayHoldNumber(text: string, shortest: number): boolean {
  let left = shortest;
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
