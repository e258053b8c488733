// How the service writes ids, texts, numbers and nothing: plain functions, for they run for each field of each row, and
// zod schemas made of them for the models. The service is probably written in Go: a list may be null, and an empty value
// may stand for none (a guess, so both are read).
import { z } from "zod";

const DIGITS = /^(0|[1-9]\d*)$/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const POSITIVE_ID = /^[1-9]\d{0,38}$/;
const LARGEST_INT = 2 ** 31 - 1;

/** Undefined where the value cannot be read; null, where that is one of the results, is "none". Never throws. */
export type Read<T> = (value: unknown) => T | undefined;

/** An id that must be there: an integer or its digits, as exact text. A fraction, a sign or a rounded number is none. */
export const readExactId: Read<string> = (value) => {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  return typeof value === "string" && DIGITS.test(value) ? value : undefined;
};

/** Whether a text is an ID that may be sent to the service, in a path or a query: positive, and exact whatever its size. */
export const isPositiveId = (text: string): boolean => POSITIVE_ID.test(text);

/** Each once, sorted: the same ids are the same question, in whatever order they came. */
export function sortedUnique(ids: readonly string[]): readonly string[] {
  return ids.length > 1 ? [...new Set(ids)].sort() : ids;
}

/** An id that may be none: 0, `""`, null and undefined (section 2.2: "0 for inbound calls"). */
export const readOptionalId: Read<string | null> = (value) =>
  isNothing(value) || value === 0 || value === "0" ? null : readExactId(value);

/** A text; a number, boolean or big integer where a text was meant is its text. Null and undefined are null. */
export const readText: Read<string | null> = (value) => {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return null;
  return (typeof value === "number" && Number.isFinite(value)) || typeof value === "boolean"
    ? String(value)
    : undefined;
};

/** A text that is null when it is empty. */
export const readFilledText: Read<string | null> = (value) => (value === "" ? null : readText(value));

/** A finite number, with or without a fraction, also as text; `""`, null and undefined are null. */
export const readNumber: Read<number | null> = (value) => {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (isNothing(value)) return null;
  if (typeof value !== "string" || !NUMBER.test(value)) return undefined;
  const read = Number(value);
  // A whole number that a double would round is not shown as another one.
  return Number.isFinite(read) && (!Number.isInteger(read) || Number.isSafeInteger(read)) ? read : undefined;
};

/** The same where the graph has an Int: whole, and of 32 bits. */
export const readCount: Read<number | null> = (value) => {
  const read = readNumber(value);
  return typeof read !== "number" || isInt(read) ? read : undefined;
};

/** True or false; `""`, null and undefined are null. */
export const readFlag: Read<boolean | null> = (value) => {
  if (typeof value === "boolean") return value;
  return isNothing(value) ? null : undefined;
};

export const exactId = schemaOf(readExactId).describe("an id, as an integer or its digits");
export const number = schemaOf(readNumber);

/**
 * The schema's safeParse, made into one function when it is first called: a row is read five to twenty times as fast. Throws
 * for a schema that cannot be, which zod would go on with in silence, and slowly; it does so only where Node may not make
 * functions of texts (--disallow-code-generation-from-strings).
 */
export function compileSchema<T extends z.ZodType>(schema: T): (value: unknown) => z.ZodSafeParseResult<z.output<T>> {
  let made: T | undefined;
  return (value) => (made ??= z.compile(schema, { strict: z.core.util.allowsEval.value })).safeParse(value);
}

/** A list; null is the empty one. Its key must be there: where it may be left out, add `.optional()`. */
export function nullableList<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .nullable()
    .transform((list) => list ?? []);
}

/** Where the first fault is, such as `assistant[0].id`: a path and names only, for zod's messages may hold values. */
export function issuePath(error: z.ZodError): string {
  const path = error.issues[0]?.path ?? [];
  return path.map((step, at) => (typeof step === "number" ? `[${step}]` : `${at ? "." : ""}${String(step)}`)).join("");
}

function schemaOf<T>(read: Read<T>) {
  return z.unknown().transform((value, context): T => {
    const result = read(value);
    if (result !== undefined) return result;
    context.addIssue({ code: "custom" });
    return z.NEVER;
  });
}

function isNothing(value: unknown): boolean {
  return value === "" || value === null || value === undefined;
}

function isInt(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= LARGEST_INT;
}
