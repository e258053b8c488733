// Takes off what programs put around a phone number: the marks of exports (`'+1…`, `="138…"`, quotes), invisible characters, and the
// decimals of a spreadsheet (13800010001.0).
import { asciiDigits } from "./phoneText.ts";
import { plainText } from "../util/text/plainText.ts";

/** Dashes of all kinds, and letters and signs that look like one between digits. */
const DASH = /[\p{Pd}\u2212\u02d7\u2043\u2500]|(?<=\d)ー/gu;
/** A spreadsheet reads a cell that begins so as a text (`'`) or as a formula (`=`). */
const MARK = /^[=`´'‘’‛′\s]+(?=[\p{L}\d+("'“”„‟«»‹›「」『』])/u;
const QUOTED = /^["'`‘’‚‛“”„‟′″«»‹›「」『』](.*)["'`‘’‚‛“”„‟′″«»‹›「」『』]$/u;
/** What is left of quotes that a reader of CSV has cut. */
const STRAY_QUOTES = /^["“”„‟″]+|["'“”„‟″’′]+$/gu;
/** A whole number of a spreadsheet or a data frame: 13800010001.0, 13800010001,00 and 13800010001. */
const DECIMALS = /^(\+?\d{5,})[.,]0*$/;

/** A formula of a spreadsheet that was not computed: =A1. */
export const isFormula = (text: string): boolean => /^['"]?=\s*[a-z$]/i.test(text.normalize("NFKC"));

/** A Chinese mobile number may be written in signs such as ①③⑧. */
const IN_SIGNS = /^(?:86)?1[3-9]\d{9}$/;
const MIN_SIGNS = 3;

/** Whether a sign stands for a digit that is not part of a number, as in ②, ¹ and ㎡. */
export function makesDigits(text: string): boolean {
  const digits = asciiDigits(text.normalize("NFKC")).replaceAll(/\D/g, "");
  const signs = digits.length - countDigits(text);
  return signs > 0 && !(signs >= MIN_SIGNS && IN_SIGNS.test(digits));
}

const countDigits = (text: string) => text.match(/\p{Nd}/gu)?.length ?? 0;

/** In ASCII digits and simple dashes, without marks. The text must not exceed MAX_PHONE_LENGTH. */
export function withoutMarks(text: string): string {
  const plain = /^[ -~]*$/.test(text) ? text.trim() : inAscii(text);
  if (/^[+(\d][^"'`]*[\d)]$/.test(plain)) return plain.replace(DECIMALS, "$1");
  let bare = plain;
  for (let before = ""; before !== bare;) {
    before = bare;
    bare = bare.replace(MARK, "").replace(QUOTED, "$1").replaceAll(STRAY_QUOTES, "").trim();
  }
  return bare.replace(DECIMALS, "$1");
}

const inAscii = (text: string) => asciiDigits(plainText(text)).replaceAll(DASH, "-").trim();
