import { digitsIn, maskDigits, maskText } from "./maskText.ts";
import { readingsOf } from "./readEscapes.ts";

/** In the label of a line, shorter runs of digits belong to the label (A068). */
const SHORTEST_IN_LABEL = 5;
const SHORTEST_WITH_PLUS = 8;
/** A letter that is seen as one: `ー` is a dash, and some are blank. */
const LETTER = /[\p{L}--[\p{Lm}\p{Default_Ignorable_Code_Point}]]/v;

/** `+8613800010001` → `+8613****0001`; fewer than 8 digits: all `*`; a label such as `A068` stays. */
export function maskPhone(phone: string): string {
  const text = readingsOf(phone).at(-1)?.text ?? phone;
  if (LETTER.test(text)) return maskText(phone, SHORTEST_IN_LABEL);
  const digits = digitsIn(text);
  const hasPlus = text.trim().startsWith("+") && digits.length >= SHORTEST_WITH_PLUS;
  return (hasPlus ? "+" : "") + maskDigits(digits);
}
