// A JSON parser that works in small steps, for bodies on which JSON.parse would block the event loop for a second. It reads the
// bytes: the whole text in a string would need up to twice their memory.
import { isUtf8 } from "node:buffer";
import type { Steps } from "../util/timeSlices.ts";
import { parseExact } from "./exactJson.ts";

export interface JsonLimits {
  /** Levels of nested lists and objects. */
  levels: number;
  /** All values, including lists and objects. */
  values: number;
  /** Lists and objects. Each takes several times the memory of another value. */
  containers: number;
  /** Items of one list. */
  items: number;
  /** Members of one object. Growing a larger hash table would block the event loop. */
  members: number;
  /** Different names of members, in all objects together. */
  names: number;
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
/** The characters of numbers, true, false and null. */
const IN_LITERAL = tableOf("0123456789+-.eEtrufalsn");
/** The characters of a text between its quotes that mean themselves and need one byte. */
const PLAIN = tableOf(
  String.fromCharCode(...Array.from({ length: 0x60 }, (_, at) => 0x20 + at)).replaceAll(/["\\]/g, ""),
);

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
export function* parseInSteps(body: Buffer, limits: JsonLimits): Steps<unknown> {
  if (!isUtf8(body)) throw new TypeError("the body is not UTF-8");
  const open: Container[] = [];
  const names = new Set<string>();
  let at = 0;
  let values = 0;
  let containers = 0;

  /** Returns the next byte that is no white space. */
  function skipSpace(): number | undefined {
    let code = body[at];
    while (isSpace(code)) code = body[(at += 1)];
    return code;
  }
  function readText(): string {
    const begin = at + 1;
    let end = begin;
    while (PLAIN[body[end] as number] === 1) end += 1;
    if (body[end] === QUOTE) {
      at = end + 1;
      return body.toString("latin1", begin, end);
    }
    at = closingQuote(body, end) + 1;
    const read = JSON.parse(body.toString("utf8", begin - 1, at)) as string;
    if (!read.isWellFormed()) throw new URIError("a text holds a lone surrogate");
    return read;
  }
  function readScalar(code: number | undefined): unknown {
    if (code === QUOTE) return readText();
    const begin = at;
    while (IN_LITERAL[body[at] as number] === 1) at += 1;
    if (at - begin > limits.characters) {
      throw new JsonLimitError(`A number has more than ${format(limits.characters)} characters.`);
    }
    return parseExact(body.toString("latin1", begin, at));
  }
  function readKey(into: Container): void {
    if (skipSpace() !== QUOTE) throw new SyntaxError("a member has no name");
    into.members += 1;
    if (into.members > limits.members)
      throw new JsonLimitError(`An object has more than ${format(limits.members)} members.`);
    into.key = readText();
    names.add(into.key);
    if (names.size > limits.names)
      throw new JsonLimitError(`It holds more than ${format(limits.names)} different member names.`);
    if (skipSpace() !== COLON) throw new SyntaxError("a member has no value");
    at += 1;
  }
  /** Returns true if the container is empty and already closed. */
  function openContainer(isList: boolean): boolean {
    const container: Container = { value: isList ? [] : {}, key: "", members: 0 };
    open.push(container);
    containers += 1;
    if (containers > limits.containers)
      throw new JsonLimitError(`It holds more than ${format(limits.containers)} lists and objects.`);
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
      const { value: into } = container;
      const isList = Array.isArray(into);
      if (isList && into.length > limits.items)
        throw new JsonLimitError(`A list has more than ${format(limits.items)} items.`);
      const next = skipSpace();
      at += 1;
      if (next === COMMA && !isList) readKey(container);
      if (next === COMMA) return null;
      if (next !== (isList ? CLOSE_LIST : CLOSE_OBJECT)) throw new SyntaxError("a list or an object does not end");
      open.pop();
      value = container.value;
    }
    skipSpace();
    if (at < body.length) throw new SyntaxError("there is text after the value");
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

/** The position of the first quote at `from` or behind it that is not escaped, or the end of the body. */
function closingQuote(body: Buffer, from: number): number {
  for (let at = from; at < body.length; at += 1) {
    if (body[at] === BACKSLASH) at += 1;
    else if (body[at] === QUOTE) return at;
  }
  return body.length;
}

function put({ value: into, key }: Container, value: unknown): void {
  if (Array.isArray(into)) into.push(value);
  // An assignment would change the prototype.
  else if (key === "__proto__")
    Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
  else into[key] = value;
}

/** For each byte whether it is one of the characters: 1 or 0. */
function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const code of Buffer.from(characters)) table[code] = 1;
  return table;
}

function isSpace(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
