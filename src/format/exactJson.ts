// JSON with exact integers: integers from 2^53 on are text in memory and numbers on the wire. Fractions are rounded to doubles.
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

/** JSON.stringify writes its text unchanged. */
export interface RawJson {
  readonly rawJSON: string;
}

export interface ReviverContext {
  /** The literal as it was written. Only scalars have one. */
  source?: string;
}

/** Every integer from 2^53 on has at least this many digits. Most responses have no such run and are parsed directly. */
const LONG_RUN = 16;
const INTEGER = /^-?\d+$/;
/** A JSON number without fraction and exponent. */
const WHOLE = /^-?[1-9]\d*$/;
const QUOTE = 0x22;
/** A text up to its closing quote, and the colon that makes it a key. Matches without backtracking. */
const TEXT_OR_KEY = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/g;
/** A prefix that keeps keys such as "7" from being ordered like an index. */
const KEY_PREFIX = "_";

/**
 * Parses JSON, with integers from 2^53 on as decimal text. The key `__proto__` is ordinary data. Throws SyntaxError if the text is
 * not JSON, and RangeError if it is nested too deeply.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(hasLongRun(text) ? quoteLarge(text) : text);
}

/** The same, but an integer that a double holds stays a number, however large: only those become text that would be rounded. */
export function parseUnrounded(text: string): unknown {
  if (!hasLongRun(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value, { source = "" }) =>
    typeof value === "number" && INTEGER.test(source) && String(value) !== source ? source : value,
  );
}

/** False if a number exceeds a double, such as 1e400: JSON.stringify would write it as null. */
export function hasOnlyFiniteNumbers(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).every(hasOnlyFiniteNumbers);
  return typeof value !== "number" || Number.isFinite(value);
}

/** Like parseExact, but undefined instead of an error. */
export function tryParseExact(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/**
 * Puts each integer from 2^53 on into quotes. Text that is not JSON stays so. A reviver would be called for every value, which takes
 * many times as long: six seconds for sixteen megabytes.
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

/** True if a number is in the place of a key. Quotes would turn this mistake into valid JSON. */
function isKey(text: string, from: number): boolean {
  let at = from;
  while (" \t\r\n".includes(text[at] ?? "x")) at += 1;
  return text[at] === ":";
}

function isOfNumber(text: string, at: number): boolean {
  return isDigit(text, at) || ".eE+-".includes(text[at] ?? "x");
}

/**
 * Like parseExact, but each object under the key `name` becomes a list of [key, value] in the order of the text. JavaScript objects
 * move keys such as "7" to the front. It takes several times as long as parseExact.
 */
export function parseExactInOrder(text: string, name: string): unknown {
  const prefixed = text.replace(TEXT_OR_KEY, (all, body: string, colon?: string) =>
    colon === undefined ? all : `"${KEY_PREFIX}${body}"${colon}`,
  );
  return JSON.parse(prefixed, (key, value, context) => {
    if (!isObject(value)) return exactInteger(value, context);
    const entries = Object.entries(value).map(([key, value]) => [key.slice(KEY_PREFIX.length), value] as const);
    return key === KEY_PREFIX + name ? entries : Object.fromEntries(entries);
  });
}

/** Makes an id's decimal text a JSON integer with all its digits. Throws TypeError for other text. */
export function writeInteger(id: string): RawJson {
  if (!/^(0|[1-9]\d*)$/.test(id)) throw new TypeError("An id must have decimal digits only, without leading zeros.");
  return JSON.rawJSON(id);
}

/** The same with a sign, for numbers that are no ids of the service. */
export function writeSignedInteger(text: string): RawJson {
  if (!/^-?(0|[1-9]\d*)$/.test(text)) throw new TypeError("An integer must have a sign and digits only.");
  return JSON.rawJSON(text);
}

/** Looks at every sixteenth character only: each run of sixteen digits covers one of them. */
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

/** False beyond either end of the text, where the code unit is NaN. */
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
