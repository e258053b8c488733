// How ids are read from JSON: an integer, an exact bigint, or decimal digits; kept as bigint.
import { z } from "zod";

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
