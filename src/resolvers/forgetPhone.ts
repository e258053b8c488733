import type { Context } from "./context.ts";
import type { Forgotten } from "../privacy/erasePhone.ts";
import { badInput } from "./inputRules.ts";

export async function forgetPhone(number: string, context: Context): Promise<Forgotten> {
  const forgotten = await context.forgetPhone(number);
  if (forgotten) return forgotten;
  throw badInput("number must be a phone number of 7 to 20 digits, in 64 characters at most; a line's label is none.");
}
