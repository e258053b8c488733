// Reads and writes JSON with integers of any size. Ids beyond 2^53 are bigints in memory and plain integers in JSON.
import { z } from "zod";

interface ExactJson {
  rawJSON(text: string): unknown;
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
}
// TypeScript's library does not declare these two members of Node 26 yet.
const exact = JSON as unknown as ExactJson;

export function stringifyJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "bigint" ? exact.rawJSON(member.toString()) : member,
  );
}

/** Reads integers beyond 2^53 as bigint. Throws a SyntaxError if the text is not JSON. */
export function parseJson(text: string): unknown {
  return exact.parse(text, (_key, value, { source }) => {
    const isRounded = typeof value === "number" && !Number.isSafeInteger(value);
    return isRounded && source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
  });
}

/** An id: an integer, a bigint or decimal digits, read as bigint. */
export const idSchema = z
  .union([z.int(), z.bigint(), z.string().regex(/^\d{1,19}$/)])
  .transform((value) => BigInt(value));

/** An id as a JSON integer, as in the service's own bodies. */
export const integerSchema = z.union([z.int(), z.bigint()]).transform((value) => BigInt(value));

/** An object with any keys, passed on unchanged. `z.record` would lose a key such as `__proto__`. */
export const extraSchema = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "expected an object",
);
