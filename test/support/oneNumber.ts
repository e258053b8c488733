// Whether digits are one number of a text, so that no digit beside it is phoned, too.
import { asciiDigits } from "../../src/format/phoneText.ts";

/** What is between two digits of a number; invisible characters are left out before. */
const SEPARATORS = /[^\d\s+().\p{Pd}\u2212\u02d7\u2043\u2500ー/·•・∙‧]+/u;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** 138:0001:0001, and 17951 0138:0001:0001 through another network. */
const SHORT_GROUPS = /(?:179\d\d[\s.-]*)?\d{1,4}([:,;|=_~\\'’⁄∕\u2800])\d{3,4}(?:\1\d{3,4})+/g;
/** +44 (0)7700 900700 */
const TRUNK_ZERO = "(0)";
/** [021]12345678 */
const AREA = /^(\D*)(?:\[(\d{2,4})\]|\{(\d{2,4})\}|<(\d{2,4})>|【(\d{2,4})】|〔(\d{2,4})〕|「(\d{2,4})」)/;

export const digitsOf = (text: string): string => asciiDigits(text.normalize("NFKC")).replaceAll(/\D/g, "");

/** Whether the digits stand in the text one after the other, with usual separators alone between them. A sign such as ② holds none. */
export function holdsOneNumber(text: string, digits: string): boolean {
  const signs = text.replaceAll(/[\p{No}\p{So}]/gu, "x");
  const plain = asciiDigits(signs.normalize("NFKC")).replaceAll(INVISIBLE, "");
  if (holdsInLetters(plain, digits)) return true;
  const inBrackets = plain.replace(AREA, (area) => area.replaceAll(/[^\d]/g, " "));
  const parts = [...inBrackets.split(SEPARATORS), ...(plain.match(SHORT_GROUPS) ?? [])];
  return parts.some((part) => [part, part.replace(TRUNK_ZERO, "")].some((each) => digitsOf(each).includes(digits)));
}

/** The digits of the letters a to z on the keys. */
const KEYS = "22233344455566677778889999";

/** 1-800-FLOWERS: only the first digits that its signs stand for are dialled. */
function holdsInLetters(text: string, digits: string): boolean {
  const signs = text
    .replace(/^[^\d]*/, "")
    .replaceAll(/[^a-z\d]/gi, "")
    .toLowerCase();
  if (!/^1?[2-9]\d\d[a-z\d]{7,12}$/.test(signs) || signs.replaceAll(/\d/g, "").length < 3) return false;
  return signs.replaceAll(/[a-z]/g, (letter) => KEYS.charAt(letter.charCodeAt(0) - 97)).startsWith(digits);
}
