// Reads ids, texts, numbers and missing values as the service writes them, and compiles zod schemas. The service is probably
// written in Go: a list may be null, and an empty value may mean "none". Both forms are accepted.
import { z } from "zod";

const DIGITS = /^(0|[1-9]\d*)$/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const POSITIVE_ID = /^[1-9]\d{0,38}$/;
const LARGEST_INT = 2 ** 31 - 1;

/** Undefined: the value cannot be read. Null, where possible: there is none. Never throws. */
export type Read<T> = (value: unknown) => T | undefined;

/** Reads a required id, an integer or its digits, as exact text. Fractions, signs and rounded numbers are not ids. */
export const readExactId: Read<string> = (value) => {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  return typeof value === "string" && DIGITS.test(value) ? value : undefined;
};

/** Whether a text is an ID that may be sent to the service, in a path or a query: positive, of at most 39 digits. It is never a number, so no digit is lost. */
export const isPositiveId = (text: string): boolean => POSITIVE_ID.test(text);

/** The distinct ids, sorted, so that equal sets of ids give equal queries. */
export function sortedUnique(ids: readonly string[]): readonly string[] {
  return ids.length > 1 ? [...new Set(ids)].sort() : ids;
}

/** Reads an optional id. 0, `""`, null and undefined mean none (section 2.2: "0 for inbound calls"). */
export const readOptionalId: Read<string | null> = (value) =>
  isMissing(value) || value === 0 || value === "0" ? null : readExactId(value);

/** Reads a text. A number or boolean becomes its text; null and undefined become null. */
export const readText: Read<string | null> = (value) => {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return null;
  return (typeof value === "number" && Number.isFinite(value)) || typeof value === "boolean"
    ? String(value)
    : undefined;
};

/** Like readText, but an empty text becomes null. */
export const readFilledText: Read<string | null> = (value) => (value === "" ? null : readText(value));

/** Reads a finite number, also from text. `""`, null and undefined become null. */
export const readNumber: Read<number | null> = (value) => {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (isMissing(value)) return null;
  if (typeof value !== "string" || !NUMBER.test(value)) return undefined;
  const read = Number(value);
  // Refuse an integer that a double would round.
  return Number.isFinite(read) && (!Number.isInteger(read) || Number.isSafeInteger(read)) ? read : undefined;
};

/** Reads a number that the graph shows as Int: an integer of 32 bits. */
export const readCount: Read<number | null> = (value) => {
  const read = readNumber(value);
  return typeof read !== "number" || isInt(read) ? read : undefined;
};

/** Reads a boolean. `""`, null and undefined become null. */
export const readFlag: Read<boolean | null> = (value) => {
  if (typeof value === "boolean") return value;
  return isMissing(value) ? null : undefined;
};

/**
 * Compiles a schema's safeParse at its first call: a row is read five to twenty times as fast. Throws for a schema that cannot be
 * compiled, unless Node forbids code generation (--disallow-code-generation-from-strings); then zod interprets the schema.
 */
export function compileSchema<T extends z.ZodType>(schema: T): (value: unknown) => z.ZodSafeParseResult<z.output<T>> {
  let compiledSchema: T | undefined;
  return (value) => (compiledSchema ??= z.compile(schema, { strict: z.core.util.allowsEval.value })).safeParse(value);
}

/** Whether a value of the service is an object: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isMissing(value: unknown): boolean {
  return value === "" || value === null || value === undefined;
}

function isInt(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= LARGEST_INT;
}
