// Reads the fields of one object of the service. A field that cannot be read becomes null and is noted. A reader never throws.
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
import { maskDigitRuns } from "../logger.ts";

/** `field` is the name in the graph. A missing value (null, undefined, mostly `""`) becomes null and is not noted. */
export interface FieldReader {
  /** See parseServiceTime for the forms. Where a wall clock names two instants, or none, one is chosen, and the text is noted. */
  time(field: string, value: unknown): Instant | null;
  /** Exact text. 0 becomes null. */
  id(field: string, value: unknown): string | null;
  /** `""` becomes null. */
  text(field: string, value: unknown): string | null;
  /** Keeps `""`, because a prompt or a summary may be empty. */
  prose(field: string, value: unknown): string | null;
  number(field: string, value: unknown): number | null;
  /** A number that the graph shows as Int: an integer of 32 bits. */
  count(field: string, value: unknown): number | null;
  flag(field: string, value: unknown): boolean | null;
  /** One of the values that the service's document names, with the same spelling. */
  oneOf<const T extends string>(field: string, value: unknown, values: readonly T[]): T | null;
  /**
   * The items that `read` accepts. Null becomes an empty list. A value that is not a list is noted by the field's name, and an item
   * for which `read` returns undefined by its path, `field[2]`. `read` gets that path, to note parts of its item.
   */
  list<T>(field: string, value: unknown, read: (item: unknown, path: string) => T | undefined): T[];
  /** Notes a field as unread and returns null. With `secret`, not even its masked text is kept. */
  markUnread(field: string, value: unknown, secret?: "secret"): null;
  /** Returns the notes since the last call, in order, frozen. */
  takeUnread(): readonly UnreadField[];
}

const NOTHING_UNREAD: readonly UnreadField[] = Object.freeze([]);
/** Limits the notes for an object that has faults only. */
const MAX_UNREAD = 50;

/** `zone`: the IANA zone of the service's wall clock. Create one reader for each list, object, or part with its own prefix. */
export function createFieldReader(zone: string, prefix = ""): FieldReader {
  let unread: UnreadField[] = [];
  let isChosen = false;
  const onAmbiguousTime = () => {
    isChosen = true;
  };

  function refuse(field: string, value: unknown, secret?: "secret"): null {
    if (unread.length < MAX_UNREAD)
      unread.push(secret ? { field: prefix + field, text: "<hidden>" } : unreadField(prefix + field, value));
    return null;
  }
  function known<T>(read: Read<T | null>, field: string, value: unknown): T | null {
    const result = read(value);
    return result === undefined ? refuse(field, value) : result;
  }
  function list<T>(field: string, value: unknown, read: (item: unknown, path: string) => T | undefined): T[] {
    if (value === null) return [];
    if (!Array.isArray(value)) return refuse(field, value) ?? [];
    const items: T[] = [];
    for (let index = 0; index < value.length; index += 1) {
      const path = `${field}[${index}]`;
      const item = read(value[index], path);
      if (item === undefined) refuse(path, value[index]);
      else items.push(item);
    }
    return items;
  }
  // The usual values are read without a call.
  return {
    markUnread: refuse,
    takeUnread() {
      if (unread.length === 0) return NOTHING_UNREAD;
      const taken = Object.freeze(unread);
      unread = [];
      return taken;
    },
    time(field, value) {
      isChosen = false;
      const instant = parseServiceTime(value, zone, onAmbiguousTime);
      if (instant === undefined || (isChosen && instant !== null)) refuse(field, value);
      return instant ?? null;
    },
    list,
    id: (field, value) =>
      typeof value === "number" && value > 0 && Number.isSafeInteger(value)
        ? String(value)
        : known(readOptionalId, field, value),
    text: (field, value) => (typeof value === "string" && value !== "" ? value : known(readFilledText, field, value)),
    prose: (field, value) => (typeof value === "string" ? value : known(readText, field, value)),
    number: (field, value) =>
      typeof value === "number" && Number.isFinite(value) ? value : known(readNumber, field, value),
    count: (field, value) => known(readCount, field, value),
    flag: (field, value) => known(readFlag, field, value),
    oneOf(field, value, values) {
      if (value === null || value === undefined || value === "") return null;
      return values.includes(value as never) ? (value as (typeof values)[number]) : refuse(field, value);
    },
  };
}

/**
 * A field that could not be read, or whose time has two meanings of which one was chosen. Never holds a phone number or a secret.
 */
export interface UnreadField {
  field: string;
  text: string;
}

const MAX_TEXT = 64;

/** Makes a note for clients and operators: short and masked, and only the kind of a value that is not a scalar. */
export function unreadField(field: string, value: unknown): UnreadField {
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return { field, text: isScalar ? maskDigitRuns(String(value).slice(0, MAX_TEXT)) : `<${kindOf(value)}>` };
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  return Array.isArray(value) ? "list" : typeof value;
}
