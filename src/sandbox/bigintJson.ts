// Reads and writes JSON with integers of any size: ids beyond 2^53 stay exact as bigint and are written as plain integers.
import { z } from "zod";

interface ExactJson {
  rawJSON(text: string): unknown;
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
}
// TypeScript's library does not know these two members of Node 26 yet.
const exact = JSON as unknown as ExactJson;

export function stringifyJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "bigint" ? exact.rawJSON(member.toString()) : member,
  );
}

/** Throws a SyntaxError when the text is not JSON. Integers beyond 2^53 come out as bigint, all else as usual. */
export function parseJson(text: string): unknown {
  return exact.parse(text, (_key, value, { source }) => {
    const isRounded = typeof value === "number" && !Number.isSafeInteger(value);
    return isRounded && source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
  });
}

export type IdInput = number | bigint | string;

export const idSchema = z
  .union([z.int(), z.bigint(), z.string().regex(/^\d{1,19}$/)])
  .transform((value) => BigInt(value));

/** As idSchema, but a JSON integer only, as the service's own bodies have it. */
export const integerSchema = z.union([z.int(), z.bigint()]).transform((value) => BigInt(value));

/**
 * A free map. Passed on as it is: `z.record` would lose a key such as `__proto__`, and a caller's variables must come
 * back to the letter.
 */
export const extraSchema = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "expected an object",
);
