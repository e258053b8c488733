// Limits the size of a result before it is serialised: the text of one that is too large would cost memory and block the
// event loop.
import { GraphQLError, type ExecutionResult } from "graphql";
import { CodedError } from "../../errors.ts";

export const RESULT_LIMITS = {
  /** Bytes of JSON of each result. */
  bytes: 16 * 1024 * 1024,
  /** Field errors in one result: an error is larger than the value in whose place it is sent. */
  fieldErrors: 1000,
} as const;

/** Bytes reserved for what surrounds the data: `{"data":…}`, and the costs in `extensions`. */
const ENVELOPE_BYTES = 1024;
const MAX_BYTES = RESULT_LIMITS.bytes - ENVELOPE_BYTES;

/** Stops at the limit. Throws what JSON.stringify throws. */
export function isTooLarge(value: unknown): boolean {
  return jsonSize(value, MAX_BYTES) > MAX_BYTES;
}

/** The result in place of one that is too large. */
export function tooLargeResult(operation: "query" | "mutation" | "subscription"): ExecutionResult {
  const mebibytes = RESULT_LIMITS.bytes / 1024 / 1024;
  const rule = `The answer is larger than ${mebibytes} MiB: select fewer fields, or fewer items.`;
  const message = operation === "mutation" ? `${rule} The mutation was executed.` : rule;
  return { errors: [tooComplex(message)], data: null };
}

/** The result in place of one with too many errors. It keeps the first of them, which says what failed. */
export function tooManyErrors([first]: readonly GraphQLError[]): ExecutionResult {
  const message = `More than ${RESULT_LIMITS.fieldErrors} fields failed: select fewer fields, or fewer items.`;
  return { errors: [tooComplex(message), ...(first ? [first] : [])], data: null };
}

function tooComplex(message: string): GraphQLError {
  return new GraphQLError("", { originalError: new CodedError("QUERY_TOO_COMPLEX", message) });
}

/** Returns the bytes of `JSON.stringify(value)` in UTF-8. Beyond `max` it stops and returns some number above `max`. */
export function jsonSize(value: unknown, max = Infinity): number {
  let size = 0;
  add(value);
  return size;

  function add(each: unknown): void {
    if (typeof each === "string") size += textSize(each, max);
    else if (typeof each === "number") size += Number.isFinite(each) ? String(each).length : NULL_SIZE;
    else if (typeof each === "boolean") size += each ? "true".length : "false".length;
    else if (typeof each !== "object" || each === null) size += NULL_SIZE;
    else if ("toJSON" in each && typeof each.toJSON === "function") add(each.toJSON());
    else if (Array.isArray(each)) addList(each);
    else addObject(each);
  }
  function addList(list: readonly unknown[]): void {
    // Brackets, and commas between the items.
    size += Math.max(2, list.length + 1);
    for (const item of list) {
      if (size > max) return;
      add(item);
    }
  }
  function addObject(object: object): void {
    size += 1;
    let isEmpty = true;
    for (const [key, member] of Object.entries(object)) {
      if (size > max) return;
      if (member === undefined || typeof member === "function" || typeof member === "symbol") continue;
      isEmpty = false;
      // A colon, and a comma or the closing brace.
      size += textSize(key, max) + 2;
      add(member);
    }
    if (isEmpty) size += 1;
  }
}

const NULL_SIZE = "null".length;
/** Text without escapes, and with one byte for each character. */
const PLAIN = /^[ !#-[\]-\x7f]*$/;
/** Control characters with a short escape: \b \t \n \f \r. */
const SHORT_ESCAPES = new Set([8, 9, 10, 12, 13]);

/** Includes the quotes. */
function textSize(text: string, max: number): number {
  if (text.length > max || PLAIN.test(text)) return text.length + 2;
  let size = 2;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20) size += SHORT_ESCAPES.has(code) ? 2 : 6;
    else if (code < 0x80) size += code === QUOTE || code === BACKSLASH ? 2 : 1;
    else if (code < 0x800) size += 2;
    else if (code < 0xd800 || code > 0xdfff) size += 3;
    else if (isSurrogatePair(text, at)) {
      size += 4;
      at += 1;
    } else size += 6;
  }
  return size;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** JSON.stringify escapes half of a pair. */
function isSurrogatePair(text: string, at: number): boolean {
  const [high, low] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  return high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff;
}
