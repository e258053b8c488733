// Splits an extension off a phone number: `021-12345678转801`, `… ext. 5`, `… доб. 5`, `…-801`, `…(801)`, `…,,5`.

import { endsWhole } from "./besideNumber.ts";

/** What stands before an extension, in the scripts of test/corpus/phones.ts. */
const WORDS = [
  "转接?|轉接?|分机号?|分機號?|内線番号|内線|内线|內線|내선(?:번호)?",
  String.raw`ext(?:n|ensi(?:on|ón|o))?|xtn?|x|int(?:erno?|erne)?|anexo|ramal|poste|durchwahl|dw|press|app(?:arat)?|wew|tst|toestel|dahili|linka`,
  "доб(?:авочный)?|доп|вн(?:утр(?:енний)?)?",
  "داخلی|داخلي|تحويلة|שלוחה|ต่อ|máy lẻ|nhánh",
].join("|");
const WORD = new RegExp(
  String.raw`^(?<main>.*\d[^\p{L}\d]*?)(?<![a-z])(?:${WORDS})(?:[\s.:#=()\-]|no\.?|号|番)*(?<extension>\d{1,8})[\s#)]*$`,
  "iu",
);
/** A pause or a key before the extension, a bracket around it, or a dash; `#` ends what is dialled. */
const SIGN = /^(?<main>.*\d\)?)\s*[,;~#*pw]+\s*(?:ext=)?(?<extension>\d{1,6})#?$/i;
const BRACKET = /^(?<main>.*\d\)?)\s*-?\s*\((?<extension>\d{1,6})\)$/;
const DASH = /^(?<main>.*\d\)?)\s*-\s*(?<extension>\d{1,6})(?<end>#?)$/;
/** After a dash, or after a blank with what may stand before a room or an amount: 12345678 $20. */
const GROUP = /^\s*-\s*\d{1,6}#?$|^\D*\s\P{L}{1,16}$/u;
/** It may be an extension or the end of a second number: 12345678/9. */
const SLASH = /^(?<main>.*\d\)?)\s*\/\s*\d{1,4}$/;
/** A digit too many, or decimals of no number: 13800010001 5 and 138-0001-0001.0. */
const REST = /(?:\d{11,}|^0\d{2,3}-\d{7,8}|^(?:\d{3}|0\d{2,3})-\d{3,4}-\d{4})\s+\d{1,6}$|^(?:\D*\d){7,}[.,]0$/;
/** A whole number in groups: a further group is an extension. */
const CHINESE_MOBILE = /^\(?(?:\+?86|0086)?\)?[ -]?1[3-9]\d[ -]?\d{4}[ -]?\d{4}$/;
const GROUPED = /^(?:\d{3}|0\d{2,3})-\d{3,4}-\d{4}$/;

export interface ExtensionSplit {
  main: string;
  extension: string | null;
}

/** Null: it cannot be told what the last digits are. `text` has no marks (phoneMarks.ts). */
export function splitExtension(text: string): ExtensionSplit | null {
  const word = /\p{L}/u.test(text) ? WORD.exec(text)?.groups : undefined;
  if (word && digitsOf(word["main"]).length >= MIN_DIGITS) return split(word);
  const sign = SIGN.exec(text)?.groups;
  if (sign && isComplete(sign["main"], /[,;~#*]/)) return split(sign);
  const bracket = BRACKET.exec(text)?.groups;
  if (bracket && isComplete(bracket["main"], /[()]/)) return split(bracket);
  const dash = DASH.exec(text)?.groups;
  if (dash && (dash["end"] === "#" || isNationalWhole(dash["main"]))) return split(dash);
  const slash = SLASH.exec(text)?.groups;
  if (REST.test(text) || (slash && isComplete(slash["main"], /\//))) return null;
  return { main: text, extension: null };
}

/** What a text may be without its last groups, after a dash or blanks: the numbers before an extension, a room or an amount. */
export function numbersBeforeGroups(text: string): string[] {
  return Array.from(text.matchAll(/\d\)?(?=\s*-|\D*\s)/g), ({ 0: end, index }) => index + end.length)
    .filter((at) => GROUP.test(text.slice(at)) && isWholeBefore(text.slice(0, at), text.slice(at)))
    .map((at) => text.slice(0, at));
}

/** A local number of two groups, such as 138-0001, may also be the beginning of a longer one. */
function isWholeBefore(before: string, rest: string): boolean {
  if (isComplete(before, /[-\s]/)) return true;
  const isLonger = digitsOf(before).length >= 10 || /^\(?[1-9]\d{3}[-.\s]\d{4}\)?$/.test(before);
  return endsWhole(before) && (isLonger || digitsOf(rest).length <= 3);
}

const split = ({ main = "", extension = "" }: Record<string, string | undefined>): ExtensionSplit => ({
  main: main.replace(/[^\d)]+$/, ""),
  extension,
});

const MIN_DIGITS = 7;
/** Groups of digits as 138-0001-0001 has them are shorter, so that the last of them is no extension. */
const MIN_PART = 8;

/** Whether the text ends with a whole number: its last group, or its last part between the dividers, is long enough. */
function isComplete(text = "", dividers: RegExp): boolean {
  const last = /\d+(?=\)?$)/.exec(text)?.[0] ?? "";
  return last.length >= MIN_DIGITS || digitsOf(text.split(dividers).at(-1)).length >= MIN_PART;
}

/**
 * Whether a whole number stands before a dash: (0755) 8888-0001 is one number, and so is +49 30 23125-001. A part between two dashes, or
 * a text with as many digits as a mobile number or an area code and a number have, is whole.
 */
function isNationalWhole(text = ""): boolean {
  if (/\d{7,}\)?$/.test(text) || GROUPED.test(text) || CHINESE_MOBILE.test(text)) return true;
  if (/^\(?(?:\+|00|011)/.test(text)) return false;
  const part = text.split(/[-/]/).at(-1) ?? "";
  if (part !== text) return /-/.test(text) && digitsOf(part).length >= MIN_PART;
  return digitsOf(text).length >= (/^\(?0/.test(text) ? 11 : 10);
}

const digitsOf = (text = "") => text.replaceAll(/\D/g, "");
