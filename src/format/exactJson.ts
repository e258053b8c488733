// JSON whose whole numbers survive: from 2^53 on they are text here and numbers on the wire. Fractions are still rounded
// as doubles are, and `1.50` loses its zero.
import { findClosingQuote } from "./jsonDepth.ts";

declare global {
  interface JSON {
    rawJSON(text: string): RawJson;
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: ReviverContext) => unknown,
    ): unknown;
  }
}

/** Marked so that JSON.stringify writes its text as it is. */
export interface RawJson {
  readonly rawJSON: string;
}

export interface ReviverContext {
  /** The literal as it was written; only scalars have one. */
  source?: string;
}

/** Every integer from 2^53 on has such a run of digits, and nearly no answer does: most pay for nothing. */
const LONG_RUN = 16;
const INTEGER = /^-?\d+$/;
/** A number as JSON has it, which is no fraction. */
const WHOLE = /^-?[1-9]\d*$/;
const QUOTE = 0x22;
const INDEX = /^\d+$/;
/** A text up to its closing quote, and the colon that makes it a key. Written so that no backtracking piles up. */
const TEXT_OR_KEY = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/g;
/** Before a key, it keeps keys such as "7" from looking like an index. */
const MARK = "_";

/**
 * JSON.parse, but an integer from 2^53 on arrives as its decimal text. A key `__proto__` is data like any other.
 * Throws SyntaxError where the text is no JSON, RangeError where it is nested beyond reason.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(hasLongRun(text) ? quoteLarge(text) : text);
}

/** Whether JSON.stringify writes what was read: a number beyond what a double holds, such as 1e400, it would write as null. */
export function hasOnlyFiniteNumbers(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).every(hasOnlyFiniteNumbers);
  return typeof value !== "number" || Number.isFinite(value);
}

/** As parseExact, but undefined where that throws. */
export function tryParseExact(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/**
 * The same JSON, but each integer from 2^53 on is a text. A reviver would be called for each value there is, which takes
 * many times as long: six seconds for sixteen megabytes. What is no JSON stays none.
 */
function quoteLarge(text: string): string {
  const parts: string[] = [];
  let taken = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) === QUOTE) at = findClosingQuote(text, at);
    if (!isDigit(text, at)) continue;
    const begin = text[at - 1] === "-" ? at - 1 : at;
    while (isOfNumber(text, at + 1)) at += 1;
    if (at + 1 - begin < LONG_RUN) continue;
    const literal = text.slice(begin, at + 1);
    if (!WHOLE.test(literal) || Number.isSafeInteger(Number(literal)) || isKey(text, at + 1)) continue;
    parts.push(text.slice(taken, begin), `"${literal}"`);
    taken = at + 1;
  }
  return parts.join("") + text.slice(taken);
}

/** A number where a key stands is a mistake, and must not be mended by quotes. */
function isKey(text: string, from: number): boolean {
  let at = from;
  while (" \t\r\n".includes(text[at] ?? "x")) at += 1;
  return text[at] === ":";
}

function isOfNumber(text: string, at: number): boolean {
  return isDigit(text, at) || ".eE+-".includes(text[at] ?? "x");
}

/**
 * The same, but every object under the key `name` arrives as a list of [key, value] in the order it was written, for
 * JavaScript moves keys such as "7" to an object's front.
 */
export function parseExactInOrder(text: string, name: string): unknown {
  const value = parseExact(text);
  if (hasIndexKey(value)) return parseMarked(text, name);
  listEntries(value, name);
  return value;
}

function parseMarked(text: string, name: string): unknown {
  const marked = text.replace(TEXT_OR_KEY, (all, body: string, colon?: string) =>
    colon === undefined ? all : `"${MARK}${body}"${colon}`,
  );
  return JSON.parse(marked, (key, value, context) => {
    if (!isObject(value)) return exactInteger(value, context);
    const entries = Object.entries(value).map(([key, value]) => [key.slice(MARK.length), value] as const);
    return key === MARK + name ? entries : Object.fromEntries(entries);
  });
}

/** Whether an object in it has lost the order it was written in. */
function hasIndexKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasIndexKey);
  if (!isObject(value)) return false;
  let isFirst = true;
  for (const key in value) {
    // Keys like an index come before all others.
    if (isFirst && INDEX.test(key)) return true;
    isFirst = false;
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner === "object" && hasIndexKey(inner)) return true;
  }
  return false;
}

/** In place, for the value is nobody else's. */
function listEntries(value: unknown, name: string): void {
  if (Array.isArray(value)) for (const item of value) listEntries(item, name);
  else if (isObject(value)) {
    const fields = value as Record<string, unknown>;
    for (const key in fields) {
      const inner = fields[key];
      if (typeof inner !== "object") continue;
      listEntries(inner, name);
      if (key === name && isObject(inner)) fields[key] = Object.entries(inner);
    }
  }
}

/** An id's decimal text as a JSON integer, digit by digit. Throws TypeError for what is no plain decimal. */
export function writeInteger(id: string): RawJson {
  if (!/^(0|[1-9]\d*)$/.test(id)) throw new TypeError("An id is written with decimal digits only.");
  return JSON.rawJSON(id);
}

/** A run of sixteen covers a place that is a multiple of sixteen, so only those are looked at. */
function hasLongRun(text: string): boolean {
  for (let at = LONG_RUN - 1; at < text.length; at += LONG_RUN) {
    if (!isDigit(text, at)) continue;
    let begin = at;
    let end = at + 1;
    while (isDigit(text, begin - 1)) begin -= 1;
    while (isDigit(text, end)) end += 1;
    if (end - begin >= LONG_RUN) return true;
  }
  return false;
}

/** False beyond either end, where the code unit is NaN. */
function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function exactInteger(value: unknown, { source }: ReviverContext): unknown {
  const isRounded = typeof value === "number" && !Number.isSafeInteger(value);
  return isRounded && source !== undefined && INTEGER.test(source) ? source : value;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
