// The size of an answer, known before any of it is written: the text of one that is too large would cost memory and hold the
// event loop.
import { GraphQLError, type ExecutionResult } from "graphql";
import { CodedError } from "../../errors.ts";
import { LIMITS } from "../documents/documentLimits.ts";

/** Bytes beside the data: `{"data":…}`, and what the gateway tells of an operation's requests. */
const BESIDE_DATA = 1024;
const MOST = LIMITS.answer - BESIDE_DATA;

/** Walks the value up to the limit. Throws what JSON.stringify throws. */
export function isTooLarge(value: unknown): boolean {
  return jsonSize(value, MOST) > MOST;
}

/** The answer in place of one that is too large. */
export function tooLargeAnswer(operation: "query" | "mutation" | "subscription"): ExecutionResult {
  const mebibytes = LIMITS.answer / 1024 / 1024;
  const rule = `The answer is larger than ${mebibytes} MiB: select fewer fields, or fewer items.`;
  const message = operation === "mutation" ? `${rule} The mutation was executed.` : rule;
  return { errors: [tooComplex(message)], data: null };
}

/** The answer in place of one with more errors than are told: the first of them says what failed. */
export function tooManyErrors([first]: readonly GraphQLError[]): ExecutionResult {
  const message = `More than ${LIMITS.fieldErrors} fields failed: select fewer fields, or fewer items.`;
  return { errors: [tooComplex(message), ...(first ? [first] : [])], data: null };
}

function tooComplex(message: string): GraphQLError {
  return new GraphQLError("", { originalError: new CodedError("QUERY_TOO_COMPLEX", message) });
}

/**
 * Bytes of `JSON.stringify(value)` in UTF-8, exactly; where they are more than `most`, some number above it, and what is
 * left of the value is not looked at.
 */
export function jsonSize(value: unknown, most = Infinity): number {
  let size = 0;
  add(value);
  return size;

  function add(given: unknown): void {
    if (typeof given === "string") size += textSize(given, most);
    else if (typeof given === "number") size += Number.isFinite(given) ? String(given).length : NULL;
    else if (typeof given === "boolean") size += given ? NULL : NULL + 1;
    else if (typeof given !== "object" || given === null) size += NULL;
    else if ("toJSON" in given && typeof given.toJSON === "function") add(given.toJSON());
    else if (Array.isArray(given)) addList(given);
    else addObject(given);
  }
  function addList(list: readonly unknown[]): void {
    // Brackets, and commas between.
    size += Math.max(2, list.length + 1);
    for (const item of list) {
      if (size > most) return;
      add(item);
    }
  }
  function addObject(object: object): void {
    size += 1;
    let isEmpty = true;
    for (const [key, member] of Object.entries(object)) {
      if (size > most) return;
      if (member === undefined || typeof member === "function" || typeof member === "symbol") continue;
      isEmpty = false;
      // A colon, and a comma or the end.
      size += textSize(key, most) + 2;
      add(member);
    }
    if (isEmpty) size += 1;
  }
}

const NULL = "null".length;
/** Texts that stand in JSON as they are, a byte for each character. */
const PLAIN = /^[ !#-[\]-\x7f]*$/;
/** Control characters that JSON writes as one letter: \b \t \n \f \r. */
const SHORT_ESCAPES = new Set([8, 9, 10, 12, 13]);

/** With its quotes. */
function textSize(text: string, most: number): number {
  if (text.length > most || PLAIN.test(text)) return text.length + 2;
  let size = 2;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20) size += SHORT_ESCAPES.has(code) ? 2 : 6;
    else if (code < 0x80) size += code === QUOTE || code === BACKSLASH ? 2 : 1;
    else if (code < 0x800) size += 2;
    else if (code < 0xd800 || code > 0xdfff) size += 3;
    else if (isPair(text, at)) {
      size += 4;
      at += 1;
    } else size += 6;
  }
  return size;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Half of a pair alone is escaped. */
function isPair(text: string, at: number): boolean {
  const [high, low] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  return high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff;
}
