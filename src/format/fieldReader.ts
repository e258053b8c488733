// Reads the fields of one object that came from the service, one by one: what cannot be read is null, and is noted. A
// reader never throws for a value.
import {
  readCount,
  readFilledText,
  readFlag,
  readNumber,
  readOptionalId,
  readText,
  type Read,
} from "./fieldParsers.ts";
import type { Instant } from "./instant.ts";
import { parseServiceTime } from "./parseServiceTime.ts";
import { maskDigits } from "../log.ts";

/** `field` is the name in the graph. Nothing (null, undefined, mostly `""`) is null, and is not noted. */
export interface FieldReader {
  /** See parseServiceTime for the forms. Where a wall clock names two instants, or none, one is chosen, and the text is noted. */
  time(field: string, value: unknown): Instant | null;
  /** Exact text; 0 is null. */
  id(field: string, value: unknown): string | null;
  /** `""` is null. */
  text(field: string, value: unknown): string | null;
  /** `""` stays, for a prompt or a summary may be empty. */
  prose(field: string, value: unknown): string | null;
  number(field: string, value: unknown): number | null;
  /** A number that the graph shows as Int: whole, and of 32 bits. */
  count(field: string, value: unknown): number | null;
  flag(field: string, value: unknown): boolean | null;
  /** One of the values that the document names, spelt exactly so. */
  oneOf<const T extends string>(field: string, value: unknown, values: readonly T[]): T | null;
  /**
   * The items of which `read` makes something; null is the empty list. What is no list is noted by the field's name, and an
   * item of which `read` makes undefined by its place, `field[2]`. `read` may note parts of its item by that place.
   */
  list<T>(field: string, value: unknown, read: (item: unknown, place: string) => T | undefined): T[];
  /** Notes a field as unread and gives null. With `secret`, not even a masked text of it is kept. */
  markUnread(field: string, value: unknown, secret?: "secret"): null;
  /** What was noted since it was last taken, in order: a list of its own for each object. */
  takeUnread(): UnreadField[];
}

/** An object of nothing but faults must not be told at greater length than it came. */
const MOST_UNREAD = 50;

/** `zone` is the IANA zone of the service's wall clock. One reader per list, object, or part with a prefix of its own. */
export function createFieldReader(zone: string, prefix = ""): FieldReader {
  let unread: UnreadField[] = [];
  let isChosen = false;
  const onChoice = () => {
    isChosen = true;
  };

  function refuse(field: string, value: unknown, secret?: "secret"): null {
    if (unread.length < MOST_UNREAD)
      unread.push(secret ? { field: prefix + field, text: "<hidden>" } : unreadField(prefix + field, value));
    return null;
  }
  function known<T>(read: Read<T | null>, field: string, value: unknown): T | null {
    const result = read(value);
    return result === undefined ? refuse(field, value) : result;
  }
  function list<T>(field: string, value: unknown, read: (item: unknown, place: string) => T | undefined): T[] {
    if (value === null) return [];
    if (!Array.isArray(value)) return refuse(field, value) ?? [];
    return value.flatMap((item: unknown, index) => {
      const place = `${field}[${index}]`;
      const result = read(item, place);
      if (result === undefined) refuse(place, item);
      return result === undefined ? [] : [result];
    });
  }
  return {
    markUnread: refuse,
    takeUnread() {
      const taken = unread;
      unread = [];
      return taken;
    },
    time(field, value) {
      isChosen = false;
      const reading = parseServiceTime(value, zone, onChoice);
      if (!("instant" in reading)) return refuse(field, value);
      if (isChosen) refuse(field, value);
      return reading.instant;
    },
    list,
    id: (field, value) => known(readOptionalId, field, value),
    text: (field, value) => known(readFilledText, field, value),
    prose: (field, value) => known(readText, field, value),
    number: (field, value) => known(readNumber, field, value),
    count: (field, value) => known(readCount, field, value),
    flag: (field, value) => known(readFlag, field, value),
    oneOf(field, value, values) {
      if (value === null || value === undefined || value === "") return null;
      return values.find((known) => known === value) ?? refuse(field, value);
    },
  };
}

/**
 * A field that came, but could not be read, by its name in the graph; or of which one meaning was chosen out of two. Never a
 * phone number or a secret.
 */
export interface UnreadField {
  field: string;
  text: string;
}

const LONGEST = 64;

/** Shown to clients and operators, so the text is short and masked; what is no scalar is named by its kind only. */
export function unreadField(field: string, value: unknown): UnreadField {
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return { field, text: isScalar ? maskDigits(String(value).slice(0, LONGEST)) : `<${kindOf(value)}>` };
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  return Array.isArray(value) ? "list" : typeof value;
}
