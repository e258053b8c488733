// Reads a phone number as people and programs write it. Everything that takes a number asks this reader: tasks, limits, the never-call
// list, filters, erasing. What cannot be told apart is refused, because a wrong guess calls somebody.
import { MAX_PHONE_LENGTH, digitsOfLetters, normalizePhone } from "./phoneText.ts";
import { areTwoLocals, holdsOtherDigits } from "./besideNumber.ts";
import { otherText, type OtherText } from "./notPhone.ts";
import { splitExtension } from "./phoneExtension.ts";
import { isFormula, makesDigits, withoutMarks } from "./phoneMarks.ts";

export interface PhoneNumber {
  kind: "number";
  /** What the service is asked to call: as it was written, without marks and labels. */
  sent: string;
  /** The digits that are dialled, with `+` if it begins with one; an extension is not among them. */
  dialled: string;
  /** The person's number: without the dial prefix of a network, and with `+` for 00. */
  number: string;
  extension: string | null;
  /** The words beside it, such as `Tel.` or `(mobile)`. */
  label: string | null;
}

/** The label of a line (A068), a SIP address, or a number in letters (1 800 FLOWERS). */
export interface LineLabel {
  kind: "label";
  sent: string;
  /** Its digits and Latin letters, by which two spellings are compared. */
  dialled: string;
}

export type NoPhoneReason =
  | OtherText
  | "empty"
  | "tooLong"
  | "malformed"
  | "control"
  | "noDigit"
  | "digits"
  | "several"
  | "unclear"
  | "context"
  | "hidden";

export interface NoPhone {
  kind: "none";
  reason: NoPhoneReason;
}

export type PhoneReading = PhoneNumber | LineLabel | NoPhone;

/** The longest number without `+` and dial prefix, by ITU-T E.164. */
const MAX_DIGITS = 15;
/** Shorter texts may be short codes and labels of lines. */
export const MIN_NUMBER_DIGITS = 7;
/** Invisible characters that no notation of numbers has. White space is allowed. */
const UNPRINTABLE = /[^\P{Cc}\s]|\p{Cs}/u;
/** What most numbers look like: digits, or short groups of them that are neither a date nor an extension. */
const PLAIN = /^\+?\d+$|^\+\d{1,3}(?: \d{2,5})+$|^\d{3}(?: \d{3,4}){2}$|^\+?\d{3}-\d{3,4}-\d{4}$/;
/** How most programs write a number: nothing below changes it. */
const INTERNATIONAL = /^\+[1-9]\d{6,14}$/;
/** Written so, a number is sent as it is. */
const USUAL = /^\+?[\d ().\-/]+$/;
/** A letter that looks like one. */
const LETTER = /[\p{L}--\p{Lm}]/v;
/** Prefixes by which a call goes through another network, before a Chinese number; and codes that hide the caller's number. */
const NETWORK = /^(?:179\d\d|12593|11808|10193|10131)(?=0[1-9]\d{8,10}$|1[3-9]\d{9}$)/;
const CODE = /^(?:[*#]\d{2,3}[*#]|\*\d{2}\s)(?=\s*[+(]?\d)/;
const TRUNK_ZERO = /^(\(?(?:\+|00)\s*[1-9]\d{0,2}\)?[\s.-]*)\(0\)/;
/** 139****0002, as a program that hides digits shows a number. */
const HIDDEN = /[*•●×]{2}|\dx{2,}/i;

/** Follows the name of the field that the text stands in. No message contains the text. */
export const noPhoneMessages: Readonly<Record<NoPhoneReason, string>> = {
  empty: "must not be empty",
  tooLong: `must have at most ${MAX_PHONE_LENGTH} characters`,
  malformed: "must be well-formed Unicode",
  control: "must not contain control characters other than white space",
  noDigit: "must contain a digit or a Latin letter",
  digits: `has more than ${MAX_DIGITS} digits, too many for a phone number`,
  several: "holds several phone numbers: give each an entry of its own",
  unclear: "is not clear: write the phone number alone, and an extension as ext. 5",
  context: "is a local number with a phone-context: write it with its country code",
  hidden: "has hidden digits",
  rounded: "was rounded by a spreadsheet (1.38E+10): its last digits are lost",
  percentage: "is a percentage, not a phone number",
  amount: "is an amount, not a phone number",
  date: "is a date, not a phone number",
  time: "is a time of day, not a phone number",
  address: "is a network address, not a phone number",
  account: "is the number of a bank account, not a phone number",
  word: "is a word or a formula of a program, not a phone number",
};

/** Whether it is a number of a person. A shorter one may be a short code or the label of a line. */
export const isWholeNumber = (reading: PhoneReading): reading is PhoneNumber =>
  reading.kind === "number" && digitsIn(reading.number).length >= MIN_NUMBER_DIGITS;

/** Never throws. */
export function readPhone(text: string): PhoneReading {
  if (INTERNATIONAL.test(text))
    return { kind: "number", sent: text, dialled: text, number: text, extension: null, label: null };
  const written = text.trim();
  if (written === "") return none("empty");
  if (written.length > MAX_PHONE_LENGTH) return none("tooLong");
  if (PLAIN.test(written)) return numberOf({ sent: written, main: written, extension: null, label: null });
  if (!written.isWellFormed()) return none("malformed");
  if (UNPRINTABLE.test(written)) return none("control");
  if (isFormula(written)) return none("word");
  const bare = withoutMarks(written);
  if (!/[a-z\d]/i.test(bare)) return none("noDigit");
  const other = otherText(bare);
  if (other !== null) return none(other);
  if (HIDDEN.test(bare)) return none("hidden");
  if (makesDigits(written)) return none("unclear");
  const plain = withoutScheme(bare);
  if (isOfContext(bare, plain)) return none("context");
  const keyed = digitsOfLetters(plain);
  if (keyed !== null) return numberOf({ sent: plain.trim(), main: keyed, extension: null, label: null });
  if (holdsSeveral(plain)) return none("several");
  const split = splitExtension(plain);
  if (split === null) return none("unclear");
  return readMain(split.main, { written, bare, extension: split.extension });
}

const none = (reason: NoPhoneReason): NoPhone => ({ kind: "none", reason });

/** The begin of a link or of a vCard's line: `tel:`, `TEL;TYPE=CELL:`, `item1.TEL;VALUE=uri:tel:`. */
const LINK = /^[^a-z\d+]*(?:(?:(?:item\d{1,2}\.)?tel(?:;[^:;]*)*|callto|phone)\s*:\/*\s*)+/i;

/** A number that was copied as a link, without its parameters but for the extension. */
function withoutScheme(text: string): string {
  const [, linked] = /^<\s*(tel:[^<>]*)>$/i.exec(text) ?? [];
  if (linked !== undefined) return withoutScheme(linked);
  const link = LINK.exec(text)?.[0] ?? "";
  return text.slice(link.length).replaceAll(PARAMETER, "");
}

/** A parameter of a link. Other than those of RFC 3966 and 4694, what holds the digits of a number is none. */
const PARAMETER =
  /;(?:(?:phone-context|rn|rn-context|cic|cic-context|tag)=[^;]*|(?!ext=)[a-z-]+=(?!(?:[^;\d]*\d){7})[^;]*|(?:npdi|enumdi)(?=;|$))/gi;

/** A number that is local to a network or a country (RFC 3966): which digits would be dialled from elsewhere, its context says only in part. */
const isOfContext = (text: string, number: string) => /;phone-context=/i.test(text) && !number.trim().startsWith("+");

/** What divides two numbers in one cell. */
const DIVIDERS = /[;,|、&\\/\r\n\t]|:::|\s(?:or|and|oder|und|ou|et|или|и|y|o)\s|[或和與与及]/iu;
const NATIONAL_OF_TEN = /\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}(?!\d)/g;

function holdsSeveral(text: string): boolean {
  const parts = text.split(DIVIDERS).filter((part) => digitsIn(part).length >= MIN_NUMBER_DIGITS);
  if (parts.length > 1 || (text.match(/\d{7,}/g) ?? []).length > 1) return true;
  if ((text.match(NATIONAL_OF_TEN) ?? []).length > 1) return true;
  if (text.split("+").filter((part) => digitsIn(part).length >= MIN_NUMBER_DIGITS).length > 1) return true;
  return areTwoLocals(text);
}

interface Written {
  written: string;
  bare: string;
  extension: string | null;
}

function readMain(main: string, { written, bare, extension }: Written): PhoneReading {
  const isShort = digitsIn(main).length < MIN_NUMBER_DIGITS;
  const { head, core, tail } = LETTER.test(main) ? partsOf(main) : { head: "", core: main, tail: "" };
  const words = [head, tail]
    .map((word) => word.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, ""))
    .filter((word) => word !== "");
  if (/^sips?:/i.test(main) || (isShort && LETTER.test(main))) return labelOf(written);
  // A letter that was typed or scanned for a digit: 1380001000l.
  if (LETTER.test(core) || /\d[loi]$/i.test(main)) return none("unclear");
  const own = withoutPrefix(core);
  // Beside a word or a prefix: am 20.11.2026, 17951 13,800,010,001.
  const other = otherText(own.replaceAll(/^[^\d+(]+|[^\d)]+$/g, ""));
  if (other !== null && !(PAIRS.test(own.trim()) && PHONE_WORD.test(head))) return none(other);
  if (holdsOtherDigits({ head, core: own, tail })) return none("unclear");
  // The label of a line (A1234567), or letters that stand for digits (1 800 555 TELL).
  if (/[a-z]$/i.test(head) && !KNOWN_LABEL.test(head)) return labelOf(written);
  if (digitsIn(main).length < 10 && /^[a-z]+$/i.test(tail.replaceAll(/[\s-]/g, ""))) return labelOf(written);
  const dialled = core.replace(TRUNK_ZERO, "$1");
  const isShortWithPlus = /\d\D*\+/.test(dialled);
  if (isShortWithPlus && !isShort) return none("unclear");
  const isAsWritten = isShortWithPlus || (USUAL.test(written) && dialled === core && bare === written);
  const beside = extension !== null || CODE.test(main);
  const sent = beside ? bare : isAsWritten ? written : normalizePhone(dialled);
  return numberOf({ sent, main: dialled, extension, label: words.length === 0 ? null : words.join(" ") });
}

/** Without the prefix of a network or a code before the number. */
function withoutPrefix(core: string): string {
  const number = core.replace(CODE, "");
  return NETWORK.test(normalizePhone(number)) ? number.replace(/^\d{5}[\s.-]*(?=[\d(])/, "") : number;
}

/** The words before and after the digits. */
function partsOf(main: string): { head: string; core: string; tail: string } {
  const first = main.search(/[\d+]/);
  const start = main.charAt(first - 1) === "(" ? first - 1 : first;
  const last = main.search(/\d\D*$/) + 1;
  const end = main.charAt(last) === ")" ? last + 1 : last;
  return { head: main.slice(0, start), core: main.slice(start, end), tail: main.slice(end) };
}

/** Words that may adjoin the digits: Tel13800010001. */
const KNOWN_LABEL = /(?:tel|phone|mobile|mob|cell|fax|whatsapp|t|m|p)\.?$/i;

/** Behind such a word, 22.85.50.50 is no address, and 98765.43210 no amount. IP phones have addresses. */
const PHONE_WORD =
  /(?<!\bip[\s-]*|\bvoip[\s-]*)(?<!\p{L})(?:t[eé]l[eé]?(?:f(?:on[oe]?)?|phone)?|tlf|tfn|phone|mob(?:ile?|il)?|cell|fax|whatsapp|тел|моб)[.:\s]*$/iu;
const PAIRS = /^\d\d(?:\.\d\d){3}$|^[1-9]\d{4}\.\d{5}$/;

function numberOf({
  sent,
  main,
  extension,
  label,
}: { sent: string; main: string } & Pick<PhoneNumber, "extension" | "label">): PhoneReading {
  const dialled = normalizePhone(main);
  const other = otherText(dialled);
  if (other !== null) return none(other);
  const number = normalizePhone(main.replace(CODE, ""))
    .replace(NETWORK, "")
    .replace(/^00(?!11)(?=[1-9]\d{7})/, "+");
  const digits = number.replace(/^\+?(?:0+(?:11(?=\d{10}))?)?/, "");
  if (digits.length > MAX_DIGITS) return none("digits");
  if (!/\d/.test(dialled)) return none("noDigit");
  return { kind: "number", sent, dialled, number, extension, label };
}

const labelOf = (written: string): PhoneReading => {
  const dialled = normalizePhone(written);
  return dialled === "" ? none("noDigit") : { kind: "label", sent: written, dialled };
};

const digitsIn = (text: string) => text.replaceAll(/\D/g, "");
