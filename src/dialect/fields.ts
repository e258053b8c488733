// How the service writes ids, texts, numbers and nothing, as zod schemas that models are built of. The service is
// probably written in Go: a list may be null, and an empty value may stand for none (a guess, so both are read).
import { z } from "zod";

const DIGITS = /^(0|[1-9]\d*)$/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const LARGEST_INT = 2 ** 31 - 1;

/** An id that must be there: an integer or its digits, as exact text. A fraction, a sign or a rounded number is none. */
export const exactId = z
  .union([z.int().nonnegative().transform(String), z.string().regex(DIGITS)])
  .describe("an id, as an integer or its digits");

/** An id that may be none: 0, `""`, null and undefined (section 2.2: "0 for inbound calls"). */
export const optionalId = z.union([nothing(0, "0"), exactId]);

/** A text; a number, boolean or big integer where a text was meant is its text. Null and undefined are null. */
export const text = z.union([z.string(), z.number().transform(String), z.boolean().transform(String), nothing()]);

/** A text that is null when it is empty. */
export const filledText = text.transform((value) => (value === "" ? null : value));

/** A finite number, with or without a fraction, also as text; `""`, null and undefined are null. */
export const number = z.union([z.number(), numericText(), nothing()]);

/** The same where the graph has an Int: whole, and of 32 bits. */
export const count = number.refine((value) => value === null || isInt(value));

/** True or false; `""`, null and undefined are null. */
export const flag = z.union([z.boolean(), nothing()]);

/** A list; null is the empty one. Its key must be there: where it may be left out, add `.optional()`. */
export function nilList<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .nullable()
    .transform((list) => list ?? []);
}

/** Where the first fault is, such as `assistant[0].id`: a path and names only, for zod's messages may hold values. */
export function faultPath(error: z.ZodError): string {
  const path = error.issues[0]?.path ?? [];
  return path.map((step, at) => (typeof step === "number" ? `[${step}]` : `${at ? "." : ""}${String(step)}`)).join("");
}

function nothing(...also: readonly (string | number)[]) {
  return z.union([z.null(), z.undefined(), z.literal(["", ...also])]).transform(() => null);
}

function numericText() {
  return (
    z
      .string()
      .regex(NUMBER)
      .transform(Number)
      // A whole number that a double would round is not shown as another one.
      .refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value))
  );
}

function isInt(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= LARGEST_INT;
}
