import type { Forgotten } from "../privacy/erasePhone.ts";
import type { Context } from "./context.ts";
import { badInput } from "./inputRules.ts";

export async function forgetPhone(number: string, context: Context): Promise<Forgotten> {
  const forgotten = await context.forgetPhone(number);
  if (forgotten) return forgotten;
  throw badInput("number must be a phone number of 7 to 20 digits and at most 64 characters, not the label of a line.");
}
