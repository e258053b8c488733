// Masks the numbers in a body that nobody could read: JSON, a form, markup, or none of them. What is written between two
// digits may be escaped or hidden there, and is shown as it is, or as a blank.
import { LETTER, maskRuns } from "./maskPhone.ts";

/** One character, as JSON or a URL has it. */
const ESCAPE = /\\u([0-9a-f]{4})|%[0-7][0-9a-f]|%[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3}/gi;
/** Raw, they would make another text of a body. */
const STAYS_ESCAPED = /[\p{Cc}\p{Cs}"\\<>%\ufffd]/u;
/** Tags, references and escaped blanks: the letters in them would end a number. */
const HIDDEN = /<[^<>]*>|&(?:amp;){0,3}#?[a-z\d]{1,8};|\\{1,8}(?:[bfnrt]|u00[01][\da-f])|%[01][\da-f]/gi;
/** No letter, and nothing that something hidden begins with: each text is read in one way. */
const MARKS = String.raw`[[\P{L}\p{Lm}\p{Default_Ignorable_Code_Point}]--[\p{Nd}<&\\%]]*`;
/** From one digit to the next, where up to twenty things hide between them: of a body of nothing else each would be tried. */
const BETWEEN_DIGITS = new RegExp(`(?<=\\p{Nd})${MARKS}(?:(?:${HIDDEN.source})${MARKS}){1,20}(?=\\p{Nd})`, "giv");

export function maskBody(text: string): string {
  const marks = text.replace(ESCAPE, unescapedMark);
  return maskRuns(marks.replace(BETWEEN_DIGITS, (between) => between.replace(HIDDEN, " ")));
}

/** Digits, and what stands between them; all else stays as it is escaped. */
function unescapedMark(escape: string, json: string | undefined): string {
  const bytes = () => Buffer.from(escape.replaceAll("%", ""), "hex").toString();
  const character = json === undefined ? bytes() : String.fromCharCode(Number.parseInt(json, 16));
  return LETTER.test(character) || STAYS_ESCAPED.test(character) ? escape : character;
}
