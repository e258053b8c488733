// JSON whose whole numbers survive: from 2^53 on they are text here and numbers on the wire. Fractions are still rounded
// as doubles are, and `1.50` loses its zero.

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

/** Every integer from 2^53 on has such a run, and nearly no answer does: most pay for no reviver. */
const LONG_NUMBER = /\d{16}/;
const INTEGER = /^-?\d+$/;
/** A text up to its closing quote, and the colon that makes it a key. Written so that no backtracking piles up. */
const TEXT_OR_KEY = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/g;
/** Before a key, it keeps keys such as "7" from looking like an index. */
const MARK = "_";

/**
 * JSON.parse, but an integer from 2^53 on arrives as its decimal text. A key `__proto__` is data like any other.
 * Throws SyntaxError where the text is no JSON, RangeError where it is nested beyond reason.
 */
export function parseExact(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return JSON.parse(text, exactReviver);
}

/** parseExact's reviver, for whoever has JSON.parse called for him. */
export function exactReviver(_key: string, value: unknown, context: ReviverContext): unknown {
  return exactInteger(value, context);
}

/**
 * The same, but every object under the key `name` arrives as a list of [key, value] in the order it was written, for
 * JavaScript moves keys such as "7" to an object's front.
 */
export function parseExactInOrder(text: string, name: string): unknown {
  // Marking is only right in a text that is JSON.
  JSON.parse(text);
  const marked = text.replace(TEXT_OR_KEY, (all, body: string, colon?: string) =>
    colon === undefined ? all : `"${MARK}${body}"${colon}`,
  );
  return JSON.parse(marked, (key, value, context) => {
    if (!isObject(value)) return exactInteger(value, context);
    const entries = Object.entries(value).map(([key, value]) => [key.slice(MARK.length), value] as const);
    return key === MARK + name ? entries : Object.fromEntries(entries);
  });
}

/** An id's decimal text as a JSON integer, digit by digit. Throws TypeError for what is no plain decimal. */
export function writeInteger(id: string): RawJson {
  if (!/^(0|[1-9]\d*)$/.test(id)) throw new TypeError("An id is written with decimal digits only.");
  return JSON.rawJSON(id);
}

function exactInteger(value: unknown, { source }: ReviverContext): unknown {
  const isRounded = typeof value === "number" && !Number.isSafeInteger(value);
  return isRounded && source !== undefined && INTEGER.test(source) ? source : value;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
