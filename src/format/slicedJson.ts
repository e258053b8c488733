// A JSON parser that works in small steps, for bodies on which JSON.parse would block the event loop for a second.
import type { Steps } from "../util/timeSlices.ts";
import { parseExact } from "./exactJson.ts";

export interface JsonLimits {
  /** Levels of nested lists and objects. */
  levels: number;
  /** All values, including lists and objects. */
  values: number;
  /** Members of one object. Growing a larger hash table would block the event loop. */
  members: number;
  /** Characters of one number. */
  characters: number;
}

/** The text is JSON but exceeds a limit, which the message names. */
export class JsonLimitError extends Error {}

/** With thousands separators: logs mask longer runs of digits as phone numbers. */
const format = (limit: number) => limit.toLocaleString("en");

const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];
const STEP_VALUES = 256;
const STEP_BYTES = 1024 * 1024;
const SPACE = /[ \t\r\n]*/y;
const LITERAL = /true|false|null|-?\d[\d.eE+-]*/y;

interface Container {
  value: unknown[] | Record<string, unknown>;
  /** The name of the current member. Unused in a list. */
  key: string;
  members: number;
}

/**
 * Reads the same texts as parseExact, with the same values. Throws SyntaxError for other texts, TypeError for bytes that are not
 * UTF-8, JsonLimitError beyond a limit, and URIError for a lone surrogate, which UTF-8 cannot encode.
 */
export function* parseInSteps(body: Uint8Array, limits: JsonLimits): Steps<unknown> {
  const text = yield* decodeInSteps(body);
  const open: Container[] = [];
  let at = 0;
  let values = 0;
  const space = new RegExp(SPACE);
  const literal = new RegExp(LITERAL);

  function skipSpace(): number {
    const code = text.charCodeAt(at);
    if (code > 0x20) return code;
    space.lastIndex = at;
    space.test(text);
    at = space.lastIndex;
    return text.charCodeAt(at);
  }
  function readText(): string {
    const end = closingQuote(text, at) + 1;
    const read = JSON.parse(text.slice(at, end)) as string;
    at = end;
    if (!read.isWellFormed()) throw new URIError("a text holds a lone surrogate");
    return read;
  }
  function readScalar(code: number): unknown {
    if (code === QUOTE) return readText();
    literal.lastIndex = at;
    const [written] = literal.exec(text) ?? [];
    if (written === undefined) throw new SyntaxError("a value is missing");
    if (written.length > limits.characters) {
      throw new JsonLimitError(`A number has more than ${format(limits.characters)} characters.`);
    }
    at += written.length;
    return parseExact(written);
  }
  function readKey(into: Container): void {
    if (skipSpace() !== QUOTE) throw new SyntaxError("a member has no name");
    into.members += 1;
    if (into.members > limits.members)
      throw new JsonLimitError(`An object has more than ${format(limits.members)} members.`);
    into.key = readText();
    if (skipSpace() !== COLON) throw new SyntaxError("a member has no value");
    at += 1;
  }
  /** Returns true if the container is empty and already closed. */
  function openContainer(isList: boolean): boolean {
    const container: Container = { value: isList ? [] : {}, key: "", members: 0 };
    open.push(container);
    if (open.length > limits.levels)
      throw new JsonLimitError(`It is nested more than ${format(limits.levels)} levels deep.`);
    at += 1;
    if (skipSpace() === (isList ? CLOSE_LIST : CLOSE_OBJECT)) return true;
    if (!isList) readKey(container);
    return false;
  }

  /** Adds a value to its container and closes the containers that end after it. Null: the text has more values. */
  function place(read: unknown): { value: unknown } | null {
    let value = read;
    for (let container = open.at(-1); container; container = open.at(-1)) {
      put(container, value);
      const isList = Array.isArray(container.value);
      const next = skipSpace();
      at += 1;
      if (next === COMMA && !isList) readKey(container);
      if (next === COMMA) return null;
      if (next !== (isList ? CLOSE_LIST : CLOSE_OBJECT)) throw new SyntaxError("a list or an object does not end");
      open.pop();
      value = container.value;
    }
    skipSpace();
    if (at < text.length) throw new SyntaxError("there is text after the value");
    return { value };
  }

  for (;;) {
    values += 1;
    if (values > limits.values) throw new JsonLimitError(`It holds more than ${format(limits.values)} values.`);
    if (values % STEP_VALUES === 0) yield;
    const code = skipSpace();
    let value: unknown;
    if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (!openContainer(code === OPEN_LIST)) continue;
      at += 1;
      value = open.pop()?.value;
    } else value = readScalar(code);
    const whole = place(value);
    if (whole) return whole.value;
  }
}

/** The position of the closing quote, or the end of the text. Takes linear time, also for many escaped quotes. */
function closingQuote(text: string, begin: number): number {
  const first = text.indexOf('"', begin + 1);
  if (first === -1) return text.length;
  if (text.charCodeAt(first - 1) !== BACKSLASH) return first;
  for (let at = begin + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}

function put({ value: into, key }: Container, value: unknown): void {
  if (Array.isArray(into)) into.push(value);
  // An assignment would change the prototype.
  else if (key === "__proto__")
    Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
  else into[key] = value;
}

function* decodeInSteps(body: Uint8Array): Steps<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const parts: string[] = [];
  for (let at = 0; at < body.length; at += STEP_BYTES) {
    parts.push(decoder.decode(body.subarray(at, at + STEP_BYTES), { stream: true }));
    yield;
  }
  parts.push(decoder.decode());
  return parts.join("");
}
